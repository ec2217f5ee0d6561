//===- BoundedReductions.cpp - shared by sums and products ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedReductions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

Value pruner::emptyLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 builder.getF64Type());
}

Value pruner::filledLike(OpBuilder &builder, Location loc, Value like,
                         double value) {
  Value scalar =
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  return linalg::FillOp::create(builder, loc, scalar,
                                emptyLike(builder, loc, like))
      .getResult(0);
}

Value pruner::noneLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        builder.getI8Type());
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  return linalg::FillOp::create(builder, loc, none, empty).getResult(0);
}

Value pruner::zerosLike(OpBuilder &builder, Location loc, Value like) {
  return filledLike(builder, loc, like, 0);
}

linalg::GenericOp pruner::elementwise(
    OpBuilder &builder, Location loc, ValueRange inputs, ValueRange outs,
    function_ref<void(OpBuilder &, Location, ValueRange)> body) {
  unsigned rank = cast<RankedTensorType>(outs[0].getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
      builder, loc, outs.getTypes(), inputs, outs,
      SmallVector<AffineMap>(inputs.size() + outs.size(), identity),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      body);
}

/// Whether `value` depends on `from` inside its block.
static bool dependsOn(Value value, Value from) {
  if (value == from)
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == from.getParentBlock() &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, from); });
}

Operation *BoundedGeneric::combiner() {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return nullptr;
  Value accumulator = op.getRegionOutputArgs()[0];
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(last) ||
      last->getBlock() != op.getBlock() || !accumulator.hasOneUse())
    return nullptr;
  bool first = last->getOperand(0) == accumulator;
  bool second = !isa<arith::SubFOp>(last) && last->getOperand(1) == accumulator;
  if (!first && !second)
    return nullptr;
  return dependsOn(last->getOperand(first ? 1 : 0), accumulator) ? nullptr
                                                                 : last;
}

Operation *BoundedGeneric::sumCombiner() {
  Operation *found = combiner();
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(found) ? found : nullptr;
}

Operation *BoundedGeneric::productCombiner() {
  Operation *found = combiner();
  return isa_and_nonnull<arith::MulFOp>(found) ? found : nullptr;
}

Value BoundedGeneric::termOf(Operation *combiner) {
  bool first = combiner->getOperand(0) == op.getRegionOutputArgs()[0];
  return combiner->getOperand(first ? 1 : 0);
}

double BoundedGeneric::numTerms() {
  double terms = 1;
  for (auto [extent, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      terms *= double(extent);
  return terms;
}

std::optional<double> pruner::zeroOf(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return std::nullopt;
  if (matchPattern(fill.getInputs()[0], m_NegZeroFloat()))
    return -0.0;
  if (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return 0.0;
  return std::nullopt;
}

std::array<Value, 2> pruner::bySign(WideArithmetic &wide, Value term) {
  Value negative = wide.compare(Predicate::OLT, term, wide.constant(0));
  return {wide.select(negative, wide.constant(-0.0), term),
          wide.where(negative, wide.sub(wide.constant(0), term))};
}

Value pruner::specialTerm(WideArithmetic &wide, Value term, Value isFinite) {
  return wide.select(isFinite, wide.constant(0), term);
}

Value pruner::isFinite(WideArithmetic &wide, Value value) {
  return wide.compare(Predicate::OLT, wide.abs(value), wide.infinity());
}

Value pruner::unitOf(WideArithmetic &wide, Value value) {
  Type words = wide.builder.getI64Type();
  auto integer = [&](int64_t word) {
    return wide.create<arith::ConstantOp>(wide.builder.getI64IntegerAttr(word));
  };
  Value size = wide.abs(value);
  Value bits = wide.create<arith::BitcastOp>(words, size);
  // Clear the lowest set bit. The significand of a power of two has none.
  Value rest = wide.create<arith::AndIOp>(
      bits, wide.create<arith::SubIOp>(bits, integer(1)));
  Value significand =
      wide.create<arith::AndIOp>(bits, integer((int64_t(1) << 52) - 1));
  Value power = wide.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                           significand, integer(0));
  rest = wide.create<arith::BitcastOp>(wide.type(), rest);
  Value unit = wide.select(power, size, wide.sub(size, rest));
  Value none = wide.compare(Predicate::OEQ, size, wide.constant(0));
  return wide.select(none, wide.infinity(), unit);
}

Value pruner::countOf(WideArithmetic &wide, Value magnitude) {
  Value counts = wide.compare(Predicate::UGT, magnitude, wide.constant(0));
  return wide.select(counts, wide.constant(1), wide.constant(0));
}
