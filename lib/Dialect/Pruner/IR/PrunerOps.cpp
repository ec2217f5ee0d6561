//===- PrunerOps.cpp - spelling and rules of the operations ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Spelling
//===----------------------------------------------------------------------===//

/// A bare keyword for an enumeration attribute.
template <typename AttrT>
static ParseResult parseEnumKeyword(OpAsmParser &parser, AttrT &attr) {
  using Enum = decltype(attr.getValue());
  FailureOr<Enum> value = FieldParser<Enum>::parse(parser);
  if (failed(value))
    return failure();
  attr = AttrT::get(parser.getContext(), *value);
  return success();
}
template <typename AttrT>
static void printEnumKeyword(OpAsmPrinter &printer, Operation *, AttrT attr) {
  printer << stringifyEnum(attr.getValue());
}

/// `d3`: a dimension of the domain.
static ParseResult parseDim(OpAsmParser &parser, int64_t &dim) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (!word.consume_front("d") || word.getAsInteger(10, dim))
    return parser.emitError(loc, "expected a dimension like 'd0'");
  return success();
}

static ParseResult parseDomain(OpAsmParser &parser,
                               DenseI64ArrayAttr &extentsAttr,
                               DenseBoolArrayAttr &reductionsAttr) {
  SmallVector<int64_t> extents;
  SmallVector<bool> reductions;
  auto parseOne = [&]() -> ParseResult {
    int64_t dim;
    SMLoc loc = parser.getCurrentLocation();
    if (parseDim(parser, dim) || parser.parseEqual() ||
        parser.parseInteger(extents.emplace_back()))
      return failure();
    if (dim != int64_t(extents.size()) - 1)
      return parser.emitError(loc) << "expected 'd" << extents.size() - 1
                                   << "' but found 'd" << dim << "'";
    reductions.push_back(succeeded(parser.parseOptionalKeyword("reduction")));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  extentsAttr = parser.getBuilder().getDenseI64ArrayAttr(extents);
  reductionsAttr = parser.getBuilder().getDenseBoolArrayAttr(reductions);
  return success();
}

static void printDomain(OpAsmPrinter &printer, Operation *,
                        DenseI64ArrayAttr extents,
                        DenseBoolArrayAttr reductions) {
  printer << "(";
  for (unsigned d = 0, e = extents.size(); d < e; ++d) {
    printer << (d ? ", " : "") << "d" << d << " = " << extents[d];
    if (reductions[d])
      printer << " reduction";
  }
  printer << ")";
}

/// `(d2 serial 256, d1 unroll 2 step 8, d1 vector 8)`.
static ParseResult parseLoops(OpAsmParser &parser, DenseI64ArrayAttr &dimsAttr,
                              DenseI64ArrayAttr &extentsAttr,
                              DenseI64ArrayAttr &stepsAttr,
                              DenseI32ArrayAttr &levelsAttr) {
  SmallVector<int64_t> dims, extents, steps;
  SmallVector<int32_t> levels;
  auto parseOne = [&]() -> ParseResult {
    if (parseDim(parser, dims.emplace_back()))
      return failure();
    FailureOr<LoopKind> level = FieldParser<LoopKind>::parse(parser);
    if (failed(level) || parser.parseInteger(extents.emplace_back()))
      return failure();
    levels.push_back(int32_t(*level));
    steps.push_back(1);
    if (succeeded(parser.parseOptionalKeyword("step")))
      return parser.parseInteger(steps.back());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  Builder &builder = parser.getBuilder();
  dimsAttr = builder.getDenseI64ArrayAttr(dims);
  extentsAttr = builder.getDenseI64ArrayAttr(extents);
  stepsAttr = builder.getDenseI64ArrayAttr(steps);
  levelsAttr = builder.getDenseI32ArrayAttr(levels);
  return success();
}

static void printLoops(OpAsmPrinter &printer, Operation *,
                       DenseI64ArrayAttr dims, DenseI64ArrayAttr extents,
                       DenseI64ArrayAttr steps, DenseI32ArrayAttr levels) {
  printer << "(";
  for (unsigned l = 0, e = dims.size(); l < e; ++l) {
    printer << (l ? ", " : "") << "d" << dims[l] << " "
            << stringifyLoopKind(LoopKind(levels[l])) << " " << extents[l];
    if (steps[l] != 1)
      printer << " step " << steps[l];
  }
  printer << ")";
}

#define GET_OP_CLASSES
#include "pruner/Dialect/Pruner/IR/PrunerOps.cpp.inc"

void BandOp::build(OpBuilder &builder, OperationState &state, LoopKind level,
                   ArrayRef<int64_t> dims, ArrayRef<int64_t> trips,
                   ArrayRef<int64_t> steps) {
  state.addAttribute(getLevelAttrName(state.name),
                     LoopKindAttr::get(builder.getContext(), level));
  state.addAttribute(getDimsAttrName(state.name),
                     builder.getDenseI64ArrayAttr(dims));
  state.addAttribute(getTripsAttrName(state.name),
                     builder.getDenseI64ArrayAttr(trips));
  state.addAttribute(getStepsAttrName(state.name),
                     builder.getDenseI64ArrayAttr(steps));
  Block &body = state.addRegion()->emplaceBlock();
  for (unsigned l = 0; l < dims.size(); ++l)
    body.addArgument(builder.getIndexType(), state.location);
}

ParseResult BandOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  FailureOr<LoopKind> level = FieldParser<LoopKind>::parse(parser);
  if (failed(level))
    return failure();
  SmallVector<OpAsmParser::Argument> ivs;
  SmallVector<int64_t> dims, trips, steps;
  auto parseOne = [&]() -> ParseResult {
    auto &iv = ivs.emplace_back();
    if (parser.parseArgument(iv) || parser.parseEqual() ||
        parseDim(parser, dims.emplace_back()) || parser.parseKeyword("trips") ||
        parser.parseInteger(trips.emplace_back()) ||
        parser.parseKeyword("step") ||
        parser.parseInteger(steps.emplace_back()))
      return failure();
    iv.type = builder.getIndexType();
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion(), ivs))
    return failure();
  StringAttr levelName = getLevelAttrName(result.name);
  result.addAttribute(levelName,
                      LoopKindAttr::get(parser.getContext(), *level));
  result.addAttribute(getDimsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(dims));
  result.addAttribute(getTripsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(trips));
  result.addAttribute(getStepsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(steps));
  return success();
}

void BandOp::print(OpAsmPrinter &printer) {
  printer << " " << stringifyLoopKind(getLevel()) << " (";
  for (unsigned l = 0, e = getDims().size(); l < e; ++l) {
    printer << (l ? ", " : "");
    printer.printRegionArgument(getBody().getArgument(l), {},
                                /*omitType=*/true);
    printer << " = d" << getDims()[l] << " trips " << getTrips()[l] << " step "
            << getSteps()[l];
  }
  printer << ") ";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getLevelAttrName(), getDimsAttrName(),
                            getTripsAttrName(), getStepsAttrName()});
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

BandIv pruner::getBandIv(Value offset) {
  auto argument = dyn_cast<BlockArgument>(offset);
  if (!argument)
    return {};
  auto band = dyn_cast_or_null<BandOp>(argument.getOwner()->getParentOp());
  return band ? BandIv{band, argument.getArgNumber()} : BandIv{};
}

std::optional<BufferOrigin> pruner::getBufferOrigin(Value buffer) {
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    return BufferOrigin{alloc.getName(), alloc.getAt(), alloc.getShape(),
                        alloc.getLayout()};
  if (auto stage = buffer.getDefiningOp<StageOp>())
    return BufferOrigin{stage.getName(), stage.getAt(), stage.getShape(),
                        stage.getLayout()};
  return std::nullopt;
}

/// Splices the body of a band without loops into its parent: what canonical
/// programs never contain, but editing by hand leaves behind.
LogicalResult BandOp::canonicalize(BandOp band, PatternRewriter &rewriter) {
  SmallVector<int64_t> dims, trips, steps;
  SmallVector<unsigned> kept;
  for (unsigned l = 0, e = band.getDims().size(); l < e; ++l) {
    if (band.getTrips()[l] == 1 && band.getBody().getArgument(l).use_empty())
      continue;
    kept.push_back(l);
    dims.push_back(band.getDims()[l]);
    trips.push_back(band.getTrips()[l]);
    steps.push_back(band.getSteps()[l]);
  }
  if (kept.size() == band.getDims().size())
    return failure();
  Block &body = band.getBody().front();
  if (kept.empty()) {
    rewriter.inlineBlockBefore(&body, band, {});
    rewriter.eraseOp(band);
    return success();
  }
  rewriter.modifyOpInPlace(band, [&] {
    for (unsigned l = band.getDims().size(); l-- > 0;)
      if (!llvm::is_contained(kept, l))
        body.eraseArgument(l);
    band.setDims(dims);
    band.setTrips(trips);
    band.setSteps(steps);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  if (getExtents().empty())
    return emitOpError("K2: the domain has no dimension");
  if (getExtents().size() != getReductions().size())
    return emitOpError("K2: ") << getExtents().size() << " extents but "
                               << getReductions().size() << " reduction flags";
  for (auto [d, extent] : llvm::enumerate(getExtents()))
    if (extent < 1)
      return emitOpError("K1: dimension d")
             << d << " has extent " << extent << ", which is less than 1";
  return success();
}

LogicalResult BandOp::verify() {
  size_t loops = getDims().size();
  if (getTrips().size() != loops || getSteps().size() != loops ||
      getBody().getNumArguments() != loops)
    return emitOpError("B1: ")
           << loops << " dims, " << getTrips().size() << " trips, "
           << getSteps().size() << " steps and " << getBody().getNumArguments()
           << " block arguments";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel)
    return emitOpError("must stand in a 'pruner.kernel'");
  LoopKind level = getLevel();
  bool cpuOnly = level == LoopKind::Core || level == LoopKind::Vector;
  bool gpuOnly = level == LoopKind::Block || level == LoopKind::Thread ||
                 level == LoopKind::VThread;
  if (kernel.isGpu() ? cpuOnly : gpuOnly)
    return emitOpError("K3: a '")
           << stringifyLoopKind(level) << "' band in a kernel for "
           << stringifyTargetKind(kernel.getTarget());
  bool independent = level == LoopKind::Core || gpuOnly;
  for (size_t l = 0; l < loops; ++l) {
    if (getTrips()[l] < 1 || getSteps()[l] < 1)
      return emitOpError("B2: loop ")
             << l << " has " << getTrips()[l] << " trips and step "
             << getSteps()[l] << ", both must be at least 1";
    if (getDims()[l] < 0 || getDims()[l] >= int64_t(kernel.getNumDims()))
      return emitOpError("B3: loop ")
             << l << " is over d" << getDims()[l] << " but the domain has "
             << kernel.getNumDims() << " dimensions";
    if (independent && kernel.getReductions()[getDims()[l]])
      return emitOpError("B5: loop ")
             << l << " of a '" << stringifyLoopKind(level)
             << "' band is over the reduction dimension d" << getDims()[l];
  }
  Operation *parent = (*this)->getParentOp();
  if ((level == LoopKind::Core || level == LoopKind::Block) &&
      !isa<KernelOp>(parent))
    return emitOpError("B4: a '")
           << stringifyLoopKind(level) << "' band must be outermost";
  if (level == LoopKind::Thread)
    for (Operation *up = parent; !isa<KernelOp>(up); up = up->getParentOp())
      if (auto band = dyn_cast<BandOp>(up);
          band && band.getLevel() != LoopKind::Block)
        return emitOpError("B4: a 'thread' band inside a '")
               << stringifyLoopKind(band.getLevel()) << "' band";
  return success();
}

/// A3: every offset is an induction variable of an enclosing band, once.
static LogicalResult verifyAt(Operation *op, OperandRange at) {
  if (!op->getParentOfType<KernelOp>())
    return op->emitOpError("must stand in a 'pruner.kernel'");
  llvm::SmallDenseSet<Value> seen;
  for (auto [n, offset] : llvm::enumerate(at)) {
    if (!getBandIv(offset))
      return op->emitOpError("A3: offset #")
             << n << " is not an induction variable of a 'pruner.band'";
    if (!seen.insert(offset).second)
      return op->emitOpError("A3: offset #") << n << " is given twice";
  }
  return success();
}

/// A1: `d`, `d floordiv c`, `d mod c` or `(d floordiv c) mod e`.
static bool isLayoutTerm(AffineExpr expr) {
  auto constantRhs = [](AffineBinaryOpExpr binary) {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return constant && constant.getValue() > 0;
  };
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      binary && binary.getKind() == AffineExprKind::Mod && constantRhs(binary))
    expr = binary.getLHS();
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      binary && binary.getKind() == AffineExprKind::FloorDiv &&
      constantRhs(binary))
    expr = binary.getLHS();
  return isa<AffineDimExpr>(expr);
}

/// A1 and A2.
static LogicalResult verifyBuffer(Operation *op, Value result,
                                  ArrayRef<int64_t> shape, AffineMap layout) {
  auto type = cast<MemRefType>(result.getType());
  if (layout.getNumDims() != shape.size() || layout.getNumSymbols() != 0)
    return op->emitOpError("A1: layout takes ")
           << layout.getNumDims() << " coordinates but the tensor has "
           << shape.size();
  if (layout.getNumResults() != type.getRank())
    return op->emitOpError("A1: layout gives ")
           << layout.getNumResults() << " coordinates but the buffer has "
           << type.getRank();
  for (auto [n, expr] : llvm::enumerate(layout.getResults()))
    if (!isLayoutTerm(expr))
      return op->emitOpError("A1: result #")
             << n
             << " of the layout is not a coordinate, its floordiv or its mod";
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !isa_and_nonnull<MemoryKindAttr>(type.getMemorySpace()))
    return op->emitOpError("A2: ")
           << type
           << " must have a static shape, the identity layout and a "
              "#pruner.memory level";
  return success();
}

LogicalResult AllocOp::verify() {
  if (failed(verifyAt(*this, getAt())))
    return failure();
  return verifyBuffer(*this, getResult(), getShape(), getLayout());
}

/// Body arguments are the inputs' elements (and the output's, if asked for),
/// and one element of the output is yielded.
static LogicalResult verifyBody(Operation *op, StringRef rule, Block &body,
                                ValueRange inputs, Value output,
                                bool takesOutput) {
  SmallVector<Type> expected;
  for (Value input : inputs)
    expected.push_back(cast<MemRefType>(input.getType()).getElementType());
  Type element = cast<MemRefType>(output.getType()).getElementType();
  if (takesOutput)
    expected.push_back(element);
  if (!llvm::equal(expected, body.getArgumentTypes()))
    return op->emitOpError() << rule << ": the body takes ("
                             << body.getArgumentTypes() << ") but the operands "
                             << "have elements (" << expected << ")";
  auto yield = dyn_cast_or_null<YieldOp>(body.empty() ? nullptr : &body.back());
  if (!yield)
    return op->emitOpError()
           << rule << ": the body ends without 'pruner.yield'";
  if (yield.getValue().getType() != element)
    return op->emitOpError()
           << rule << ": the body yields " << yield.getValue().getType()
           << " but the buffer has elements " << element;
  return success();
}

LogicalResult StageOp::verify() {
  if (failed(verifyAt(*this, getAt())) ||
      failed(verifyBuffer(*this, getResult(), getShape(), getLayout())))
    return failure();
  if (getMaps().size() != getInputs().size())
    return emitOpError("T1: ") << getMaps().size() << " maps for "
                               << getInputs().size() << " inputs";
  for (auto [n, attr, input] : llvm::enumerate(getMaps(), getInputs())) {
    AffineMap map = cast<AffineMapAttr>(attr).getValue();
    auto type = cast<MemRefType>(input.getType());
    if (map.getNumDims() != getShape().size() ||
        map.getNumResults() != type.getRank())
      return emitOpError("T1: map #")
             << n << " takes " << map.getNumDims() << " coordinates to "
             << map.getNumResults() << ", expected " << getShape().size()
             << " to " << type.getRank();
  }
  if (getBox().size() != getShape().size() ||
      getMap().getNumResults() != getShape().size())
    return emitOpError("T2: box has ")
           << getBox().size() << ", shape " << getShape().size() << " and map "
           << getMap().getNumResults() << " coordinates";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (getMap().getNumDims() != kernel.getNumDims())
    return emitOpError("T2: map takes ")
           << getMap().getNumDims() << " dimensions but the domain has "
           << kernel.getNumDims();
  if (int64_t(getVector()) < 1 || int64_t(getThreads()) < 1)
    return emitOpError("T4: vector is ")
           << getVector() << " and threads is " << getThreads()
           << ", both must be at least 1";
  return verifyBody(*this, "T3", getBody().front(), getInputs(), getResult(),
                    /*takesOutput=*/false);
}

LogicalResult ComputeOp::verify() {
  if (failed(verifyAt(*this, getAt())))
    return failure();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (getMaps().size() != getInputs().size() + 1)
    return emitOpError("C1: ") << getMaps().size() << " maps for "
                               << getInputs().size() + 1 << " operands";
  for (unsigned n = 0; n <= getInputs().size(); ++n) {
    Value buffer = n < getInputs().size() ? getInputs()[n] : getOutput();
    auto origin = getBufferOrigin(buffer);
    int64_t rank = origin ? origin->shape.size()
                          : cast<MemRefType>(buffer.getType()).getRank();
    AffineMap map = getMap(n);
    if (map.getNumDims() != kernel.getNumDims() || map.getNumResults() != rank)
      return emitOpError("C1: map #")
             << n << " takes " << map.getNumDims() << " dimensions to "
             << map.getNumResults() << " coordinates, expected "
             << kernel.getNumDims() << " to " << rank;
    if (!origin)
      continue;
    for (Value offset : origin->at)
      if (!llvm::is_contained(getAt(), offset))
        return emitOpError("C4: operand #")
               << n << " begins at an offset that the statement does not have";
  }
  size_t loops = getNumLoops();
  if (getLoopExtents().size() != loops || getLoopSteps().size() != loops ||
      getLoopLevels().size() != loops)
    return emitOpError("C2: lists of loops differ in length");
  for (size_t l = 0; l < loops; ++l) {
    int64_t dim = getLoopDims()[l];
    if (dim < 0 || dim >= int64_t(kernel.getNumDims()))
      return emitOpError("C2: loop ")
             << l << " is over d" << dim << " but the domain has "
             << kernel.getNumDims() << " dimensions";
    if (getLoopExtents()[l] < 1 || getLoopSteps()[l] < 1)
      return emitOpError("C2: loop ")
             << l << " has extent " << getLoopExtents()[l] << " and step "
             << getLoopSteps()[l] << ", both must be at least 1";
    LoopKind level = getLoopLevel(l);
    if (level < LoopKind::Serial)
      return emitOpError("C2: loop ")
             << l << " is on level '" << stringifyLoopKind(level)
             << "', expected 'serial', 'unroll' or 'vector'";
    if (level == LoopKind::Vector && (l + 1 != loops || getLoopSteps()[l] != 1))
      return emitOpError("C3: loop ")
             << l << " is a 'vector' loop with step " << getLoopSteps()[l]
             << "; only the innermost loop may be one, with step 1";
    if (kernel.getReductions()[dim] && getRole() != Role::Update)
      return emitOpError("C6: loop ")
             << l << " of '" << stringifyRole(getRole())
             << "' is over the reduction dimension d" << dim;
  }
  return verifyBody(*this, "C5", getBody().front(), getInputs(), getOutput(),
                    getRole() == Role::Update);
}
