//===- RangeOf.cpp - ranges of integers in bodies -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RangeOf.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using pruner::checked;
using pruner::elementwiseOp;
using pruner::IntegerRange;
using pruner::rangeOfType;

linalg::LinalgOp pruner::elementwiseOp(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.hasDynamicShape() || generic.getNumDpsInits() != 1 ||
      generic.getNumParallelLoops() != generic.getNumLoops() ||
      !isa<linalg::YieldOp>(generic.getBlock()->getTerminator()) ||
      !generic.getMatchingIndexingMap(generic.getDpsInitOperand(0))
           .isPermutation())
    return nullptr;
  return generic;
}

IntegerRange pruner::rangeOfType(unsigned bits, bool isSigned) {
  if (isSigned)
    return {-(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1};
  return {0, (int64_t(1) << bits) - 1};
}

std::optional<IntegerRange> pruner::checked(IntegerRange range, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits < 64 && (range.low < rangeOfType(bits, true).low ||
                    range.high > rangeOfType(bits, true).high))
    return std::nullopt;
  return range;
}

/// The arithmetic of zero points is short.
static constexpr unsigned kMaxDepth = 8;

static std::optional<IntegerRange> rangeOf(Value value, unsigned depth) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return IntegerRange{constant.getSExtValue(), constant.getSExtValue()};
  if (depth > kMaxDepth || !isa<IntegerType>(value.getType()))
    return std::nullopt;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    // The only element of a tensor that another generic computes.
    auto reader =
        dyn_cast_or_null<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    if (!reader || argument.getOwner() != reader.getBlock())
      return std::nullopt;
    OpOperand *operand = reader.getMatchingOpOperand(argument);
    linalg::LinalgOp writer = elementwiseOp(operand->get().getDefiningOp());
    if (!writer || !reader.isDpsInput(operand))
      return std::nullopt;
    return rangeOf(writer.getBlock()->getTerminator()->getOperand(0),
                   depth + 1);
  }
  Operation *op = value.getDefiningOp();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    linalg::LinalgOp writer =
        elementwiseOp(extract.getTensor().getDefiningOp());
    if (!writer)
      return std::nullopt;
    return rangeOf(writer.getBlock()->getTerminator()->getOperand(0),
                   depth + 1);
  }
  if (isa<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    bool isSigned = isa<arith::ExtSIOp>(op);
    std::optional<IntegerRange> inner = rangeOf(op->getOperand(0), depth + 1);
    if (inner && (isSigned || inner->low >= 0))
      return inner;
    unsigned bits = op->getOperand(0).getType().getIntOrFloatBitWidth();
    if (bits > 32)
      return std::nullopt;
    return rangeOfType(bits, isSigned);
  }
  if (isa<arith::TruncIOp>(op))
    if (std::optional<IntegerRange> inner =
            rangeOf(op->getOperand(0), depth + 1))
      return checked(*inner, value.getType());
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    auto a = rangeOf(op->getOperand(0), depth + 1),
         b = rangeOf(op->getOperand(1), depth + 1);
    constexpr int64_t limit = int64_t(1) << 40;
    if (!a || !b || a->magnitude() > limit || b->magnitude() > limit)
      return std::nullopt;
    if (isa<arith::SubIOp>(op))
      b = IntegerRange{-b->high, -b->low};
    return checked({a->low + b->low, a->high + b->high}, value.getType());
  }
  return std::nullopt;
}

std::optional<IntegerRange> pruner::rangeOf(Value value) {
  return ::rangeOf(value, 0);
}
