//===- Classify.cpp - what can be part of a task ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Classify.h"
#include "Bodies.h"
#include "Copies.h"

#include "pruner/Analysis/TaskFromIR.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using pruner::OpClass;

static OpClass outside(StringRef category, const Twine &reason) {
  return {OpClass::Outside, category.str(), reason.str()};
}

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

/// The reason why what `op` reads is not told by its maps. This comes before
/// any other reason.
static std::optional<OpClass> checkReads(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (auto extract : body->getOps<tensor::ExtractOp>())
    return outside("gather", "the body reads a " +
                                 quoted(extract.getTensor().getType()) +
                                 " by computed indices");
  if (!body->getOps<linalg::IndexOp>().empty())
    return outside("loop index", "the body reads its loop indices");
  return std::nullopt;
}

/// The reason why the body of `op` is not one that a task may hold.
static std::optional<OpClass> checkBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (Operation &inner : *body) {
    for (Type type : inner.getResultTypes())
      if (!pruner::isTaskElementType(type))
        return outside("element type", "the body computes in " + quoted(type));
    // Neither libm nor LLVM has one for vectors of doubles.
    bool isDoubleErf =
        isa<math::ErfOp>(inner) && inner.getResult(0).getType().isF64();
    if (!pruner::flopsOf(&inner) || isDoubleErf)
      return outside("body", "the body holds '" +
                                 inner.getName().getStringRef() + "'" +
                                 (isDoubleErf ? " of 'f64'" : ""));
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body &&
          !operand.getDefiningOp<arith::ConstantOp>())
        return outside("capture",
                       "the body captures a value that is not a constant");
  }
  return std::nullopt;
}

/// The reason why the types or shapes of `op` keep it outside.
static std::optional<OpClass> checkOperands(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return outside("buffers", "it works on buffers, not on tensors");
  if (op.hasDynamicShape())
    return outside("dynamic shape", "dynamic shapes are not supported yet");
  if (pruner::numPoints(op) == 0)
    return outside("empty", "a loop has no iterations");
  if (std::optional<std::string> reason = pruner::whyTooLarge(op))
    return outside("size", *reason);
  if (op->getNumResults() != 1)
    return outside("results",
                   "it has " + Twine(op->getNumResults()) + " results");
  if (op.getNumDpsInputs() == 0)
    return outside("no input", "it reads no tensor");
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      return outside("scalar operand",
                     "operand #" + Twine(number) +
                         " is a scalar that is not a constant");
    if (!pruner::isTaskElementType(type.getElementType()))
      return outside("element type", "element type " +
                                         quoted(type.getElementType()) +
                                         " is not supported yet");
    if (type.getEncoding())
      return outside("encoding",
                     "operand #" + Twine(number) + " has an encoding");
  }
  return std::nullopt;
}

/// Sums of dimensions times constants that never run backwards.
static bool isLinear(AffineExpr expr) {
  if (isa<AffineDimExpr>(expr))
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isLinear(binary.getLHS()) || !isLinear(binary.getRHS()))
    return false;
  return binary.getKind() == AffineExprKind::Add ||
         (binary.getKind() == AffineExprKind::Mul &&
          isa<AffineConstantExpr>(binary.getRHS()));
}

/// The reason why a map of `op` keeps it outside. That all accesses stay inside
/// their tensors was verified with the op.
static std::optional<OpClass> checkMaps(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (!llvm::all_of(op.getMatchingIndexingMap(input).getResults(), isLinear))
      return outside("map", "the map of operand #" +
                                Twine(input->getOperandNumber()) +
                                " is not a sum of dimensions times constants");
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = op.getMatchingIndexingMap(init);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool isOrder = map.isProjectedPermutation() &&
                 map.getNumResults() == op.getNumParallelLoops();
  for (unsigned i = 0; isOrder && i < map.getNumResults(); ++i)
    isOrder = iterators[map.getDimPosition(i)] == utils::IteratorType::parallel;
  if (!isOrder)
    return outside("map", "the map of operand #" +
                              Twine(init->getOperandNumber()) +
                              " is not an order of the parallel loops");
  return std::nullopt;
}

/// What a task may start from: one whose result does not depend on the order in
/// which the loops run, but for the rounding of sums in at least f32.
static OpClass classifyReduction(linalg::LinalgOp op) {
  std::optional<pruner::CombinerMatch> match = pruner::matchCombiner(op);
  if (!match)
    return outside("reduction", "the body does not add, multiply, compare or "
                                "combine bits with its accumulator alone");
  Type type = getElementTypeOrSelf(op->getResult(0).getType());
  bool rounds = match->combiner == pruner::Combiner::Sum ||
                match->combiner == pruner::Combiner::Product;
  if (rounds && (type.isF16() || type.isBF16()))
    return outside("accumulation",
                   "it accumulates in " + quoted(type) + ", not in 'f32'");
  return {OpClass::Anchor, "", ""};
}

static OpClass classifyLinalg(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return {};
  bool isParallel = op.getNumParallelLoops() == op.getNumLoops();
  if (!isa<linalg::GenericOp>(op) && isParallel)
    return outside("named op", "named elementwise ops become no tasks; run "
                               "pruner-normalize first");
  for (auto check : {checkReads, checkOperands, checkBody, checkMaps})
    if (std::optional<OpClass> why = check(op))
      return *why;
  if (!isParallel)
    return classifyReduction(op);
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return outside("init", "the body reads its init operand");
  if (op.getNumLoops() == 0)
    return outside("scalar", "it has no loops, as it computes one number");
  return {OpClass::Elementwise, "", ""};
}

/// Ops that copy what a task could read in place, or that no map describes.
static OpClass classifyTensor(Operation *op) {
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (!pad.getResultType().hasStaticShape() ||
        !pad.getSourceType().hasStaticShape())
      return outside("dynamic shape", "dynamic shapes are not supported yet");
    if (!pruner::isFoldablePad(pad))
      return outside("padding",
                     "it does not pad with one constant on known sides");
    return outside("padding", "no reduction reads it alone");
  }
  std::optional<pruner::Copy> copy =
      llvm::TypeSwitch<Operation *, std::optional<pruner::Copy>>(op)
          .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp,
                tensor::ConcatOp>([](auto op) { return pruner::copyOf(op); })
          .Default(std::nullopt);
  if (copy)
    return copy->reason.empty() ? OpClass() : outside("copy", copy->reason);
  if (isa<tensor::GatherOp, tensor::ScatterOp>(op))
    return outside("gather", "it reads or writes by computed indices");
  if (isa<tensor::GenerateOp>(op))
    return outside("loop index", "the body reads its loop indices");
  return {};
}

OpClass pruner::classify(Operation *op) {
  if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect()))
    return classifyTensor(op);
  if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) ||
      isa<linalg::YieldOp, linalg::IndexOp>(op))
    return {};
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return classifyLinalg(linalgOp);
  StringRef name = op->getName().stripDialect();
  return outside(name, "linalg." + name + " is not supported yet");
}

bool pruner::isAnchor(Operation *op) {
  return op && classify(op).kind == OpClass::Anchor;
}

bool pruner::isElementwisePart(Operation *op) {
  return isa_and_nonnull<linalg::GenericOp>(op) &&
         classify(op).kind == OpClass::Elementwise;
}

bool pruner::isFoldablePad(tensor::PadOp pad) {
  Value value = pad.getConstantPaddingValue();
  auto isStatic = [](ArrayRef<int64_t> sides) {
    return llvm::all_of(sides, [](int64_t side) { return side >= 0; });
  };
  // The marker for a dynamic size is negative, too.
  return value && value.getDefiningOp<arith::ConstantOp>() &&
         pad.getResultType().hasStaticShape() &&
         pad.getSourceType().hasStaticShape() &&
         isTaskElementType(pad.getSourceType().getElementType()) &&
         !pad.getSourceType().getEncoding() && isStatic(pad.getStaticLow()) &&
         isStatic(pad.getStaticHigh());
}

int64_t pruner::numPoints(linalg::LinalgOp op) {
  return boxSize(op.getStaticLoopRanges());
}

int64_t pruner::numFlops(linalg::LinalgOp op) {
  int64_t perPoint = 0;
  for (Operation &inner : *op.getBlock())
    perPoint += flopsOf(&inner).value_or(0);
  return mulSizes(perPoint, numPoints(op));
}

int64_t pruner::bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  return mulSizes(boxSize(tensor.getShape()),
                  llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
}

bool pruner::isPureCopy(linalg::GenericOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(inner);
      });
}
