//===- PrunerVerify.cpp - verifiers of the operations ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The labels (K1, B2, ...) are defined by the descriptions in PrunerOps.td. The
// functions in test/Dialect/Pruner/*-errors.mlir use them as names.

#include "VerifyParts.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace pruner;

/// K5: a tiled program consists of the dialect's operations only.
static LogicalResult verifyProgramBody(Operation *op, Block &body) {
  for (Operation &inner : body)
    if (!isa<BandOp, AllocOp, PackedOp, StageOp, ComputeOp>(inner))
      return op->emitOpError("K5: contains '")
             << inner.getName()
             << "'; only 'pruner.band', 'pruner.alloc', 'pruner.packed', "
                "'pruner.stage' and 'pruner.compute' are allowed here";
  return success();
}

LogicalResult KernelOp::verify() {
  if (getExtents().empty())
    return emitOpError("K2: the domain has no dimension");
  if (getExtents().size() != getReductions().size())
    return emitOpError("K2: ") << getExtents().size() << " extents but "
                               << getReductions().size() << " reduction flags";
  if (getUnrollMax() != 0 && !isGpu())
    return emitOpError("K4: unroll_max is ")
           << getUnrollMax() << " in a kernel for cpu, expected 0";
  return verifyProgramBody(*this, getBody().front());
}

LogicalResult BandOp::verify() {
  size_t loops = getDims().size();
  if (getTrips().size() != loops || getSteps().size() != loops ||
      getBody().getNumArguments() != loops)
    return emitOpError("B1: ")
           << loops << " dims, " << getTrips().size() << " trips, "
           << getSteps().size() << " steps and " << getBody().getNumArguments()
           << " block arguments";
  for (BlockArgument argument : getBody().getArguments())
    if (!argument.getType().isIndex())
      return emitOpError("B1: block argument #")
             << argument.getArgNumber() << " is of type " << argument.getType()
             << ", expected 'index'";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  LoopKind level = getLevel();
  if (level >= LoopKind::Dot)
    return emitOpError("B6: a '")
           << stringifyLoopKind(level)
           << "' band, but only statements have such loops";
  bool cpuOnly = level == LoopKind::Core || level == LoopKind::Vector;
  bool gpuOnly = level == LoopKind::Block || level == LoopKind::Thread ||
                 level == LoopKind::VThread;
  if (kernel.isGpu() ? cpuOnly : gpuOnly)
    return emitOpError("K3: a '")
           << stringifyLoopKind(level) << "' band in a kernel for "
           << stringifyTargetKind(kernel.getTarget());
  // Threads that share a reduction combine their results, and blocks store
  // parts. C8 and C9 check the requirements.
  bool independent = level == LoopKind::Core || level == LoopKind::VThread;
  for (size_t l = 0; l < loops; ++l) {
    if (getDims()[l] >= int64_t(kernel.getNumDims()))
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
  return verifyProgramBody(*this, getBody().front());
}

LogicalResult pruner::verifyAt(Operation *op, OperandRange at) {
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

/// A1.
static LogicalResult verifyLayout(Operation *op, MemRefType type,
                                  ArrayRef<int64_t> shape, AffineMap layout) {
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
  return success();
}

/// A1 and A2.
static LogicalResult verifyBuffer(Operation *op, Value result,
                                  ArrayRef<int64_t> shape, AffineMap layout) {
  auto type = cast<MemRefType>(result.getType());
  if (failed(verifyLayout(op, type, shape, layout)))
    return failure();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !isa_and_nonnull<MemoryKindAttr>(type.getMemorySpace()))
    return op->emitOpError("A2: ")
           << type
           << " must have a static shape, the identity layout and a "
              "#pruner.memory level";
  return success();
}

LogicalResult AlternativesOp::verify() {
  if (getForms().size() < 2)
    return emitOpError("F1: ")
           << getForms().size() << " form(s), expected at least two";
  if (getNames().size() != getForms().size())
    return emitOpError("F1: ") << getForms().size() << " forms but "
                               << getNames().size() << " names";
  llvm::SmallDenseSet<Attribute> names;
  for (Attribute name : getNames())
    if (!names.insert(name).second)
      return emitOpError("F1: two forms have the name ") << name;
  if (getChosenAttr() && !names.contains(getChosenAttr()))
    return emitOpError("F2: no form has the name ") << getChosenAttr();
  for (auto [name, form] : llvm::zip_equal(getNames(), getForms())) {
    auto results = dyn_cast_or_null<ResultsOp>(
        form.front().empty() ? nullptr : &form.front().back());
    if (!results)
      return emitOpError("F3: the form ")
             << name << " ends without 'pruner.results'";
    if (!llvm::equal(results.getOperandTypes(), getResultTypes()))
      return results.emitOpError("F3: has operands of types (")
             << results.getOperandTypes() << "), but the results of '"
             << getOperationName() << "' have types (" << getResultTypes()
             << ")";
  }
  return success();
}

LogicalResult PackedOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  auto argument = dyn_cast<BlockArgument>(getSource());
  if (!argument || argument.getOwner()->getParentOp() != kernel->getParentOp())
    return emitOpError("P1: the source is not an argument of the kernel's "
                       "function");
  auto type = cast<MemRefType>(getSource().getType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return emitOpError("P1: ")
           << type << " must have a static shape and the identity layout";
  return verifyLayout(*this, type, getShape(), getLayout());
}

LogicalResult AllocOp::verify() {
  if (failed(verifyAt(*this, getAt())))
    return failure();
  return verifyBuffer(*this, getResult(), getShape(), getLayout());
}

LogicalResult pruner::verifyBody(Operation *op, StringRef rule, Block &body,
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

static bool isLinear(AffineExpr expr) {
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isLinear(binary.getLHS()))
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return isLinear(binary.getRHS());
  return binary.getKind() == AffineExprKind::Mul &&
         isa<AffineConstantExpr>(binary.getRHS());
}

LogicalResult pruner::verifyLinear(Operation *op, const Twine &what,
                                   AffineMap map) {
  if (llvm::all_of(map.getResults(), isLinear))
    return success();
  return op->emitOpError(what)
         << " is " << AffineMapAttr::get(map) << ", expected a linear one";
}

/// T7 and T8.
static LogicalResult verifyCopiesAhead(StageOp stage, KernelOp kernel) {
  if (stage.getBuffers() > 1) {
    auto band = dyn_cast<BandOp>(stage->getParentOp());
    if (!kernel.isGpu() || !band || band.getLevel() != LoopKind::Serial)
      return stage.emitOpError("T7: a copy with ")
             << stage.getBuffers()
             << " buffers must be directly in a 'serial' band of a kernel for "
                "gpu";
  }
  if (!stage.getAsync())
    return success();
  if (stage.getBuffers() == 1)
    return stage.emitOpError("T8: an asynchronous copy needs several buffers");
  Block &body = stage.getBody().front();
  if (stage.getInputs().size() != 1 ||
      body.back().getOperand(0) != body.getArgument(0))
    return stage.emitOpError("T8: an asynchronous copy must yield the element "
                             "of its only input");
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
    if (map.getNumDims() != getShape().size() || map.getNumSymbols() != 0 ||
        map.getNumResults() != type.getRank())
      return emitOpError("T1: map #")
             << n << " takes " << map.getNumDims() << " coordinates to "
             << map.getNumResults() << ", expected " << getShape().size()
             << " to " << type.getRank();
    if (failed(verifyLinear(*this, "T1: map #" + Twine(n), map)))
      return failure();
  }
  if (getBox().size() != getShape().size() ||
      getMap().getNumResults() != getShape().size())
    return emitOpError("T2: box has ")
           << getBox().size() << ", shape " << getShape().size() << " and map "
           << getMap().getNumResults() << " coordinates";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (getMap().getNumDims() != kernel.getNumDims() ||
      getMap().getNumSymbols() != 0)
    return emitOpError("T2: map takes ")
           << getMap().getNumDims() << " dimensions and "
           << getMap().getNumSymbols() << " symbols but the domain has "
           << kernel.getNumDims() << " dimensions";
  if (failed(verifyLinear(*this, "T2: map", getMap())))
    return failure();
  Type element = cast<MemRefType>(getResult().getType()).getElementType();
  if (std::optional<TypedAttr> padding = getPadding();
      padding && padding->getType() != element)
    return emitOpError("T6: padding is of type ")
           << padding->getType() << " but the buffer has elements " << element;
  if (failed(verifyBody(*this, "T3", getBody().front(), getInputs(),
                        getResult(), /*takesOutput=*/false)))
    return failure();
  return verifyCopiesAhead(*this, kernel);
}
