//===- ScalarOps.cpp - scalar operations in bodies of linalg ops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/ScalarOps.h"

#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

namespace {
/// The counters that an op increments on floats and on integers; null if it
/// does not count.
struct Counter {
  int64_t OpCounts::*onFloats = nullptr, OpCounts::*onIntegers = nullptr;
};
} // namespace

/// The counter of an op that the bodies of extracted tasks may contain.
static std::optional<Counter> counterInTask(Operation *op) {
  using Found = std::optional<Counter>;
  using Counts = OpCounts;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case<arith::ConstantOp, linalg::YieldOp, arith::ExtFOp, arith::TruncFOp,
            arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp,
            arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
            arith::BitcastOp>([](auto) { return Counter(); })
      // A multiply-add counts as a product here; countOp adds the sum.
      .Case<arith::MulFOp, arith::MulIOp, math::FmaOp>(
          [](auto) { return Counter{&Counts::floatMul, &Counts::intMul}; })
      .Case<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp>(
          [](auto) {
            return Counter{&Counts::floatAddSub, &Counts::intAddSub};
          })
      .Case<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
            arith::RemUIOp>([](auto) {
        return Counter{&Counts::floatDivMod, &Counts::intDivMod};
      })
      .Case<arith::CmpFOp, arith::CmpIOp, arith::MaximumFOp, arith::MaxNumFOp,
            arith::MinimumFOp, arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp,
            arith::MaxUIOp, arith::MinUIOp>(
          [](auto) { return Counter{&Counts::floatCmp, &Counts::intCmp}; })
      .Case<math::AbsFOp, math::CeilOp, math::CopySignOp, math::CosOp,
            math::ErfOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
            math::FloorOp, math::LogOp, math::Log2Op, math::Log1pOp,
            math::PowFOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
            math::SqrtOp, math::TanhOp>(
          [](auto) { return Counter{&Counts::floatMath, &Counts::intMath}; })
      .Case<arith::NegFOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto) { return Counter{&Counts::floatOther, &Counts::intOther}; })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [](auto) { return Counter{&Counts::boolOps, &Counts::boolOps}; })
      .Case<arith::SelectOp>(
          [](auto) { return Counter{&Counts::select, &Counts::select}; })
      .Default([](Operation *) { return Found(); });
}

/// The counter of any op, including ops that only hand-written tasks contain.
static Counter counterOf(Operation *op) {
  if (std::optional<Counter> counter = counterInTask(op))
    return *counter;
  if (isa<arith::RemFOp>(op))
    return {&OpCounts::floatDivMod, &OpCounts::intDivMod};
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return {&OpCounts::floatMath, &OpCounts::intMath};
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
      !isa<CastOpInterface>(op))
    return {&OpCounts::floatOther, &OpCounts::intOther};
  return {};
}

bool pruner::isTaskScalarOp(Operation *op) {
  // Neither libm nor LLVM has an erf for vectors of doubles.
  if (isa<math::ErfOp>(op) && op->getResult(0).getType().isF64())
    return false;
  return counterInTask(op).has_value();
}

void pruner::countOp(Operation &op, OpCounts &counts) {
  if (op.getNumOperands() == 0)
    return;
  Counter counter = counterOf(&op);
  bool isFloat = isa<FloatType>(op.getOperand(0).getType());
  if (auto field = isFloat ? counter.onFloats : counter.onIntegers)
    ++(counts.*field);
  counts.floatAddSub += isa<math::FmaOp>(op);
}

OpCounts pruner::countOps(Block &body) {
  OpCounts counts;
  for (Operation &op : body.without_terminator())
    countOp(op, counts);
  return counts;
}

OpCounts pruner::countReduction(Block &body, ArrayRef<AffineMap> maps,
                                ArrayRef<int64_t> extents) {
  if (!isa<FloatType>(body.getArguments().back().getType()))
    return countOps(body);
  AffineMap result = maps.back();
  llvm::DenseMap<Value, llvm::SmallBitVector> used;
  for (auto [argument, map] : llvm::zip_equal(body.getArguments(), maps)) {
    llvm::SmallBitVector &dims = used[argument];
    dims.resize(result.getNumDims());
    for (unsigned dim = 0; dim < result.getNumDims(); ++dim)
      dims[dim] = extents[dim] > 1 && result.isFunctionOfDim(dim) &&
                  map.isFunctionOfDim(dim);
  }
  const llvm::SmallBitVector all = used.lookup(body.getArguments().back());
  OpCounts counts;
  for (Operation &op : body.without_terminator()) {
    llvm::SmallBitVector dims(result.getNumDims());
    for (Value operand : op.getOperands())
      if (auto known = used.find(operand); known != used.end())
        dims |= known->second;
    if (dims == all)
      countOp(op, counts);
    for (Value value : op.getResults())
      used[value] = dims;
  }
  return counts;
}

OpCounts pruner::countOps(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return countOps(*op.getBlock());
  return countReduction(*op.getBlock(), op.getIndexingMapsArray(),
                        op.getStaticLoopRanges());
}

AffineMap pruner::outputMapOf(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

int64_t pruner::numPoints(linalg::LinalgOp op) {
  return boxSize(op.getStaticLoopRanges());
}

int64_t pruner::numFlops(linalg::LinalgOp op) {
  return mulSizes(countOps(op).arithmetic(), numPoints(op));
}

/// An element is loaded from the caches of a core in the time of about this
/// many vector operations.
static constexpr int64_t kOpsPerLoad = 4;
/// Inputs that are smaller than a result by at least this factor stay in the
/// nearest cache while the result is computed.
static constexpr int64_t kSpread = 16;

bool pruner::isCheaperThanItsResult(linalg::GenericOp op) {
  int64_t elements = 0, ops = 0;
  for (Value input : op.getDpsInputs())
    if (auto type = dyn_cast<RankedTensorType>(input.getType()))
      elements = addSizes(elements, type.getNumElements());
  for (Operation &inner : op.getBlock()->without_terminator()) {
    ops += 1;
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
            arith::RemUIOp>(inner) ||
        !isa<arith::ArithDialect>(inner.getDialect()))
      return false;
  }
  return ops <= kOpsPerLoad && !op.hasIndexSemantics() &&
         mulSizes(elements, kSpread) <= numPoints(op);
}

bool pruner::isPureCopy(linalg::GenericOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &inner) {
        return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(inner);
      });
}
