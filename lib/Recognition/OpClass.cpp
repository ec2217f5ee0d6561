//===- OpClass.cpp - classify ops for task extraction ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/OpClass.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pruner;

using Finding = std::optional<Obstacle>;

static Obstacle found(Operation *op, StringRef category, const Twine &reason) {
  return {op, category.str(), reason.str()};
}

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

//===----------------------------------------------------------------------===//
// Ops and types that no task may contain
//===----------------------------------------------------------------------===//

Finding pruner::findObstacle(Type type, Operation *where) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return found(where, "scalar operand",
                 "an operand of type " + quoted(type) +
                     ", expected a ranked tensor");
  if (!tensor.hasStaticShape())
    return found(where, "dynamic shape",
                 "dynamic shape " + quoted(type) + " cannot be tuned");
  if (tensor.getEncoding())
    return found(where, "encoding",
                 "encoding of " + quoted(type) + " cannot be tuned");
  if (!toElementType(tensor.getElementType()))
    return found(where, "element type",
                 "elements of type " + quoted(tensor.getElementType()) +
                     ", expected f64, f32, f16, bf16 or signless integers of "
                     "64, 32, 16, 8 or 1 bits");
  return std::nullopt;
}

Finding pruner::findObstacle(tensor::PadOp pad) {
  for (RankedTensorType type : {pad.getSourceType(), pad.getResultType()})
    if (Finding why = findObstacle(type, pad))
      return why;
  if (!pad.getLow().empty() || !pad.getHigh().empty())
    return found(pad, "padding",
                 "padding by amounts that are not constants cannot be tuned");
  auto isNegative = [](int64_t amount) { return amount < 0; };
  if (llvm::any_of(pad.getStaticLow(), isNegative) ||
      llvm::any_of(pad.getStaticHigh(), isNegative))
    return found(pad, "padding", "padding by negative amounts cannot be tuned");
  Value value = pad.getConstantPaddingValue();
  if (!value || !value.getDefiningOp<arith::ConstantOp>())
    return found(pad, "padding",
                 "padding by a value that is not a constant cannot be tuned");
  return std::nullopt;
}

/// The maps of `op` must determine which elements it reads. This check comes
/// first.
static Finding checkReads(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (auto extract : body->getOps<tensor::ExtractOp>())
    return found(extract, "gather",
                 "the body reads a " + quoted(extract.getTensor().getType()) +
                     " at computed indices");
  if (op.hasIndexSemantics())
    return found(op, "loop index", "the body reads its loop indices");
  return std::nullopt;
}

static Finding checkShapes(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return found(op, "buffers", "the op works on buffers, expected tensors");
  if (op->getNumResults() != 1)
    return found(op, "results",
                 "an op of a task must have one result, but this op has " +
                     Twine(op->getNumResults()));
  for (Type type : op->getOperandTypes())
    if (Finding why = findObstacle(type, op))
      return why;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (llvm::is_contained(extents, 0))
    return found(op, "empty", "a loop has no iterations");
  if (boxSize(extents) > kMaxPoints)
    return found(op, "size",
                 "the " + shapeText(extents) + " points exceed the limit of " +
                     Twine(kMaxPoints));
  for (Type type : op->getOperandTypes())
    if (bytesOf(type) > kMaxTensorBytes)
      return found(op, "size",
                   "a tensor of " +
                       shapeText(cast<RankedTensorType>(type).getShape()) +
                       " elements exceeds the limit of " +
                       Twine(kMaxTensorBytes) + " bytes");
  return std::nullopt;
}

/// Bodies are copied into the kernel, so they may only compute with elements of
/// the operands and with constants.
static Finding checkBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (Operation &inner : *body) {
    if (inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner))
      return found(&inner, "body",
                   "the body contains '" + inner.getName().getStringRef() +
                       "'");
    for (Value operand : inner.getOperands())
      if (operand.getParentBlock() != body &&
          !operand.getDefiningOp<arith::ConstantOp>())
        return found(&inner, "capture",
                     "the body captures a value that is not a constant");
  }
  return std::nullopt;
}

/// The verifier of the op ensures that all accesses are in bounds.
static Finding checkMaps(linalg::LinalgOp op) {
  for (OpOperand *input : op.getDpsInputOperands())
    if (!toAccessMap(op.getMatchingIndexingMap(input)))
      return found(op, "map",
                   "the map of operand #" + Twine(input->getOperandNumber()) +
                       " is not a sum of dimensions times constants");
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap map = outputMapOf(op);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  bool isOrder = map.isProjectedPermutation() &&
                 map.getNumResults() == op.getNumParallelLoops();
  for (unsigned i = 0; isOrder && i < map.getNumResults(); ++i)
    isOrder = iterators[map.getDimPosition(i)] == utils::IteratorType::parallel;
  if (!isOrder)
    return found(op, "map",
                 "the map of operand #" + Twine(init->getOperandNumber()) +
                     " is not a permutation of the parallel loops");
  if (op.getNumReductionLoops() == 0 && op.payloadUsesValueFromOperand(init))
    return found(op, "init", "the body reads its init operand");
  return std::nullopt;
}

Finding pruner::findObstacle(linalg::LinalgOp op) {
  for (auto check : {checkReads, checkShapes, checkBody, checkMaps})
    if (Finding why = check(op))
      return why;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Ops that extraction does not take
//===----------------------------------------------------------------------===//

/// Whether `op` rounds an f32 to tf32, and only extensions to f32 read it. No
/// memory holds a tf32, and lowering rounds the bits of the f32.
static bool roundsToTensorFloat(Operation &op) {
  auto rounding = dyn_cast<arith::TruncFOp>(op);
  return rounding && rounding.getType().isTF32() &&
         rounding.getIn().getType().isF32() &&
         rounding.getRoundingmode() == arith::RoundingMode::to_nearest_away &&
         llvm::all_of(op.getUsers(), [](Operation *user) {
           return isa<arith::ExtFOp>(user) &&
                  user->getResult(0).getType().isF32();
         });
}

static Finding checkScalars(linalg::LinalgOp op) {
  for (Operation &inner : *op.getBlock()) {
    for (Type type : inner.getResultTypes())
      if (!toElementType(type) && !roundsToTensorFloat(inner))
        return found(&inner, "element type",
                     "the body computes in " + quoted(type));
    if (!isTaskScalarOp(&inner))
      return found(&inner, "body",
                   "the body contains '" + inner.getName().getStringRef() +
                       "'" +
                       (inner.getNumResults() == 1
                            ? " of " + quoted(inner.getResult(0).getType())
                            : ""));
  }
  return std::nullopt;
}

static Finding checkDirections(linalg::LinalgOp op) {
  auto runsBackwards = [](const LinearExpr &coordinate) {
    return coordinate.constant < 0 ||
           llvm::any_of(coordinate.coeffs, [](int64_t c) { return c < 0; });
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    AccessMap map = *toAccessMap(op.getMatchingIndexingMap(input));
    if (llvm::any_of(map, runsBackwards))
      return found(op, "map",
                   "the map of operand #" + Twine(input->getOperandNumber()) +
                       " has a negative coefficient or offset");
  }
  return std::nullopt;
}

static Finding checkReduction(linalg::LinalgOp op) {
  if (matchCombiner(*op.getBlock()))
    return std::nullopt;
  return found(op, "reduction",
               "the body does not combine its accumulator by one addition, "
               "multiplication, extremum or bit operation");
}

OpClass pruner::classify(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return {};
  bool isParallel = op.getNumReductionLoops() == 0;
  if (!isa<linalg::GenericOp>(op) && isParallel)
    return OpClass::outside(
        found(op, "named op",
              "named elementwise ops are not extracted; run "
              "pruner-normalize first"));
  if (Finding why = findObstacle(op))
    return OpClass::outside(std::move(*why));
  if (op.getNumDpsInputs() == 0)
    return OpClass::outside(found(op, "no input", "the op reads no tensor"));
  for (auto check : {checkScalars, checkDirections})
    if (Finding why = check(op))
      return OpClass::outside(std::move(*why));
  if (!isParallel) {
    if (Finding why = checkReduction(op))
      return OpClass::outside(std::move(*why));
    return {OpClass::Anchor, {}};
  }
  if (op.getNumLoops() == 0)
    return OpClass::outside(found(
        op, "scalar", "the op has no loops and computes a single number"));
  return {OpClass::Elementwise, {}};
}

bool pruner::isAnchor(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && classify(linalgOp).kind == OpClass::Anchor;
}

bool pruner::isElementwisePart(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && classify(generic).kind == OpClass::Elementwise;
}
