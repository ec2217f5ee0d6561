//===- PrunerOps.cpp - syntax and structure of the operations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses a bare keyword for an enumeration attribute.
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

/// Parses `d3`, a dimension of the domain.
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

/// Parses `(d2 serial 256, d1 unroll 2 step 8, d1 vector 8)`.
static ParseResult parseLoops(OpAsmParser &parser, DenseI64ArrayAttr &dimsAttr,
                              DenseI64ArrayAttr &extentsAttr,
                              DenseI64ArrayAttr &stepsAttr,
                              ArrayAttr &levelsAttr) {
  SmallVector<int64_t> dims, extents, steps;
  SmallVector<Attribute> levels;
  auto parseOne = [&]() -> ParseResult {
    if (parseDim(parser, dims.emplace_back()))
      return failure();
    FailureOr<LoopKind> level = FieldParser<LoopKind>::parse(parser);
    if (failed(level) || parser.parseInteger(extents.emplace_back()))
      return failure();
    levels.push_back(LoopKindAttr::get(parser.getContext(), *level));
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
  levelsAttr = builder.getArrayAttr(levels);
  return success();
}

static void printLoops(OpAsmPrinter &printer, Operation *,
                       DenseI64ArrayAttr dims, DenseI64ArrayAttr extents,
                       DenseI64ArrayAttr steps, ArrayAttr levels) {
  printer << "(";
  for (unsigned l = 0, e = dims.size(); l < e; ++l) {
    printer << (l ? ", " : "") << "d" << dims[l] << " "
            << stringifyLoopKind(cast<LoopKindAttr>(levels[l]).getValue())
            << " " << extents[l];
    if (steps[l] != 1)
      printer << " step " << steps[l];
  }
  printer << ")";
}

/// Parses the region of a kernel. An empty region also gets a block.
static ParseResult parseKernelBody(OpAsmParser &parser, Region &body) {
  if (parser.parseRegion(body))
    return failure();
  if (body.empty())
    body.emplaceBlock();
  return success();
}

static void printKernelBody(OpAsmPrinter &printer, Operation *, Region &body) {
  printer.printRegion(body);
}

/// Parses `form "separate" { ... } form "joined" { ... }`.
static ParseResult parseForms(OpAsmParser &parser, ArrayAttr &namesAttr,
                              SmallVectorImpl<std::unique_ptr<Region>> &forms) {
  SmallVector<Attribute> names;
  while (succeeded(parser.parseOptionalKeyword("form"))) {
    StringAttr name;
    if (parser.parseAttribute(name) ||
        parser.parseRegion(*forms.emplace_back(std::make_unique<Region>())))
      return failure();
    names.push_back(name);
  }
  namesAttr = parser.getBuilder().getArrayAttr(names);
  return success();
}

static void printForms(OpAsmPrinter &printer, Operation *, ArrayAttr names,
                       MutableArrayRef<Region> forms) {
  printer.increaseIndent();
  for (auto [name, form] : llvm::zip_equal(names, forms)) {
    printer.printNewline();
    printer << "form " << name << " ";
    printer.printRegion(form);
  }
  printer.decreaseIndent();
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
  Region *body = result.addRegion();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, ivs))
    return failure();
  if (body->empty())
    body->emplaceBlock();
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
  printer << ")";
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getLevelAttrName(), getDimsAttrName(),
                            getTripsAttrName(), getStepsAttrName()});
  printer << " ";
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
  if (auto packed = buffer.getDefiningOp<PackedOp>())
    return BufferOrigin{"", packed->getOperands().take_front(0),
                        packed.getShape(), packed.getLayout()};
  return std::nullopt;
}

unsigned AlternativesOp::getChosenIndex() {
  if (!getChosenAttr())
    return 0;
  return llvm::find(getNames(), getChosenAttr()) - getNames().begin();
}

/// Inlines the body of a band without loops into its parent. Only programs
/// edited by hand contain such bands.
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
