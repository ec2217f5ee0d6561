//===- Classify.cpp - what can be part of a task ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Classify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

/// One floating-point operation, or two (fma), or none (casts and selects).
/// std::nullopt: not an op that a task's body may hold.
static std::optional<int64_t> flopsOf(Operation *op) {
  using Flops = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Flops>(op)
      .Case<arith::ConstantOp, arith::SelectOp, arith::ExtFOp, arith::TruncFOp,
            linalg::YieldOp>([](auto) { return Flops(0); })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp>(
          [](auto) { return Flops(1); })
      .Case<math::AbsFOp, math::CeilOp, math::CopySignOp, math::CosOp,
            math::ErfOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
            math::FloorOp, math::LogOp, math::Log2Op, math::Log1pOp,
            math::PowFOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
            math::SqrtOp, math::TanhOp>([](auto) { return Flops(1); })
      .Case<math::FmaOp>([](auto) { return Flops(2); })
      .Default([](Operation *) { return Flops(); });
}

/// Element types of data. i1 may be read, as the condition of a select.
static bool isDataType(Type type) { return type.isF32() || type.isF16(); }

/// The reason why what `op` reads is not told by its maps. This comes before
/// any other reason.
static std::optional<OpClass> checkReads(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  if (!body->getOps<tensor::ExtractOp>().empty())
    return outside("gather", "the body reads a tensor by computed indices");
  if (!body->getOps<linalg::IndexOp>().empty())
    return outside("loop index", "the body reads its loop indices");
  return std::nullopt;
}

/// The reason why the body of `op` is not one that a task may hold.
static std::optional<OpClass> checkBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  for (Operation &inner : *body) {
    for (Type type : inner.getResultTypes())
      if (!isDataType(type) && !type.isInteger(1))
        return outside(type.isF64() ? "f64" : "element type",
                       "the body computes in " + quoted(type));
    if (!flopsOf(&inner))
      return outside("body",
                     "the body holds '" + inner.getName().getStringRef() + "'");
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
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      return outside("scalar operand",
                     "operand #" + Twine(operand.getOperandNumber()) +
                         " is a scalar that is not a constant");
    Type element = type.getElementType();
    if (!isDataType(element) &&
        !(element.isInteger(1) && op.isDpsInput(&operand)))
      return outside(element.isF64() ? "f64" : "element type",
                     "element type " + quoted(element) +
                         " is not supported yet");
    if (type.getEncoding())
      return outside("encoding", "operand #" +
                                     Twine(operand.getOperandNumber()) +
                                     " has an encoding");
  }
  return std::nullopt;
}

/// True for a value that is `argument` after any number of float extensions.
static bool isExtensionOf(Value value, Value argument) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  return value == argument;
}

/// acc + a * b with the factors in either order.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  if (body->getNumArguments() != 3)
    return false;
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value acc = body->getArgument(2);
  if (add.getLhs() != acc && add.getRhs() != acc)
    return false;
  Value product = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value a = body->getArgument(0), b = body->getArgument(1);
  return (isExtensionOf(mul.getLhs(), a) && isExtensionOf(mul.getRhs(), b)) ||
         (isExtensionOf(mul.getLhs(), b) && isExtensionOf(mul.getRhs(), a));
}

static OpClass classifyContraction(linalg::LinalgOp op) {
  if (auto why = checkOperands(op))
    return *why;
  if (auto why = checkBody(op))
    return *why;
  Type accumulator =
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  if (!accumulator.isF32())
    return outside("accumulation", "it accumulates in " + quoted(accumulator) +
                                       ", not in 'f32'");
  return {OpClass::Contraction, "", ""};
}

static OpClass classifyElementwise(linalg::GenericOp op) {
  if (auto why = checkOperands(op))
    return *why;
  if (auto why = checkBody(op))
    return *why;
  if (op->getNumResults() != 1)
    return outside("results",
                   "it has " + Twine(op->getNumResults()) + " results");
  if (op.getNumDpsInputs() == 0)
    return outside("no input", "it reads no tensor");
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand) ? !map.isPermutation()
                               : !map.isProjectedPermutation())
      return outside("map", "the map of operand #" +
                                Twine(operand.getOperandNumber()) +
                                " is not a projected permutation");
  }
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return outside("init", "the body reads its init operand");
  return {OpClass::Elementwise, "", ""};
}

/// Whether the maps are those of a contraction that uses all of its loops.
static bool hasContractionMaps(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && dims->batch.size() + dims->m.size() +
                                    dims->n.size() + dims->k.size() ==
                                op.getNumLoops();
}

OpClass pruner::classify(Operation *op) {
  if (!isa_and_nonnull<linalg::LinalgDialect>(op->getDialect()) ||
      isa<linalg::FillOp, linalg::YieldOp, linalg::IndexOp>(op))
    return {};
  StringRef name = op->getName().stripDialect();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return outside(name, "linalg." + name + " is not supported yet");
  if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
    return hasContractionMaps(linalgOp)
               ? classifyContraction(linalgOp)
               : outside("map", "its maps are not those of a contraction");
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (auto why = checkReads(generic))
      return *why;
    if (generic.getNumParallelLoops() == generic.getNumLoops())
      return classifyElementwise(generic);
    if (hasContractionMaps(generic) && isMultiplyAdd(generic))
      return classifyContraction(generic);
    return outside("reduction", "reductions are not supported yet");
  }
  if (name.contains("conv"))
    return outside("convolution", "convolutions are not supported yet");
  if (name.starts_with("pooling"))
    return outside("pooling", "pooling is not supported yet");
  if (isa<linalg::ReduceOp>(op))
    return outside("reduction", "reductions are not supported yet");
  if (linalgOp.getNumParallelLoops() == linalgOp.getNumLoops() ||
      linalg::isaContractionOpInterface(linalgOp))
    return outside("named op", "only matmul, batch_matmul and generic ops "
                               "become tasks; run pruner-normalize first");
  return outside(name, "linalg." + name + " is not supported yet");
}

bool pruner::isAnchor(Operation *op) {
  return op && classify(op).kind == OpClass::Contraction;
}

bool pruner::isElementwisePart(Operation *op) {
  return isa_and_nonnull<linalg::GenericOp>(op) &&
         classify(op).kind == OpClass::Elementwise;
}

int64_t pruner::numPoints(linalg::LinalgOp op) {
  int64_t points = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    points *= extent;
  return points;
}

int64_t pruner::numFlops(linalg::LinalgOp op) {
  int64_t perPoint = 0;
  for (Operation &inner : *op.getBlock())
    perPoint += flopsOf(&inner).value_or(0);
  return perPoint * numPoints(op);
}

bool pruner::isPureCopy(linalg::GenericOp op) {
  return llvm::hasSingleElement(*op.getBlock());
}
