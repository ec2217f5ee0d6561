//===- ReduceLanes.cpp - vectors along a reduction dimension --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/InlineBody.h"
#include "pruner/Program/TiledProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

static vector::CombiningKind kindOf(Operation *combiner) {
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, Kind>(combiner)
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case([](arith::MaximumFOp) { return Kind::MAXIMUMF; })
      .Case([](arith::MinimumFOp) { return Kind::MINIMUMF; })
      .Case([](arith::MaxNumFOp) { return Kind::MAXNUMF; })
      .Case([](arith::MinNumFOp) { return Kind::MINNUMF; })
      .Case([](arith::MaxSIOp) { return Kind::MAXSI; })
      .Case([](arith::MinSIOp) { return Kind::MINSI; })
      .Case([](arith::MaxUIOp) { return Kind::MAXUI; })
      .Case([](arith::MinUIOp) { return Kind::MINUI; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Default([](Operation *) { return Kind::ADD; });
}

/// The start value of every lane.
Value ComputeLowering::neutralLanes() {
  Operation *combiner = getCombiner(op.getBody().front());
  TypedAttr neutral = neutralElement(combiner);
  Value scalar = arith::ConstantOp::create(builder, loc, neutral);
  return broadcastTo(builder, loc, scalar, lanes);
}

Value ComputeLowering::combineLanes(Value accumulator, Value lanes) {
  Operation *combiner = getCombiner(op.getBody().front());
  auto combine = [&](Value a, Value b) {
    return combineBy(builder, loc, combiner, a, b);
  };
  // The compiler may choose the order of a sum, and uses a tree of halves. It
  // would compute a maximum lane by lane with a branch for each, and it need
  // not round sums of narrow floats.
  bool isSum = isa<arith::AddFOp, arith::MulFOp>(combiner);
  if ((isa<arith::MaximumFOp, arith::MinimumFOp>(combiner) &&
       accumulator.getType().isF32()) ||
      (isSum && accumulator.getType().getIntOrFloatBitWidth() < 32))
    lanes = combineHalves(lanes, combine);
  if (!isa<VectorType>(lanes.getType()))
    return combine(accumulator, lanes);
  const auto order = arith::FastMathFlags::reassoc;
  if (!isa<arith::AddFOp>(combiner))
    return combine(accumulator,
                   vector::ReductionOp::create(builder, loc, kindOf(combiner),
                                               lanes, order));
  // Without a start, sums would start from 0, and of zeros below it be 0.
  Value start =
      arith::ConstantOp::create(builder, loc, neutralElement(combiner));
  return combine(accumulator,
                 vector::ReductionOp::create(builder, loc, kindOf(combiner),
                                             lanes, start, order));
}

/// Combines the lower half of the lanes with the upper half until one lane is
/// left, or an odd number, which is combined lane by lane.
Value ComputeLowering::combineHalves(
    Value lanes, llvm::function_ref<Value(Value, Value)> combine) {
  int64_t count = cast<VectorType>(lanes.getType()).getDimSize(0);
  for (; count % 2 == 0; count /= 2) {
    auto half = [&](int64_t from) -> Value {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, lanes, ArrayRef<int64_t>{from},
          ArrayRef<int64_t>{count / 2}, ArrayRef<int64_t>{1});
    };
    lanes = combine(half(0), half(count / 2));
  }
  auto lane = [&](int64_t at) -> Value {
    return vector::ExtractOp::create(builder, loc, lanes,
                                     ArrayRef<int64_t>{at});
  };
  Value total = lane(0);
  for (int64_t at = 1; at < count; ++at)
    total = combine(total, lane(at));
  return total;
}

/// Accumulators for `copies` steps at a time. All sets except the first start
/// from the neutral element.
SmallVector<Value> ComputeLowering::setsOf(ArrayRef<Value> accumulators,
                                           int64_t copies) {
  int64_t size = accumulators.size();
  SmallVector<Value> result(accumulators);
  if (int64_t others = accumulatorSets(copies, size) - 1)
    result.append(others * size, neutralLanes());
  return result;
}

/// Combines the accumulators of all sets of `size`.
SmallVector<Value> ComputeLowering::combineSets(ArrayRef<Value> sets,
                                                size_t size) {
  Operation *combiner = getCombiner(op.getBody().front());
  SmallVector<Value> left(sets);
  while (left.size() > size) {
    size_t half = left.size() / 2;
    for (size_t n = 0; n < half; ++n)
      left[n] = combineBy(builder, loc, combiner, left[n], left[n + half]);
    left.truncate(half);
  }
  return left;
}

/// The number of steps whose lanes are all before the end.
Value ComputeLowering::wholeSteps(int64_t trips, const IndexForm &extra) {
  IndexForm begin = base[laneDim] + extra;
  int64_t extent = kernel.getExtents()[laneDim];
  bool isFixed = !parent.ends[laneDim].first;
  if (isFixed && begin.isConstant())
    return indices.constant(
        std::clamp<int64_t>((extent - begin.getConstant()) / lanes, 0, trips));
  if (isFixed && !(begin + (trips * lanes - 1)).mayReach(extent))
    return indices.constant(trips);
  Value rest = indices.sub(parent.endOf(laneDim), indices.value(begin));
  Value whole = indices.divU(rest, indices.constant(lanes));
  return indices.min(whole, indices.constant(trips));
}

/// Emits the step that the end of the domain cuts, if there is one. Lanes
/// beyond the end keep their values.
SmallVector<Value> ComputeLowering::addTail(ArrayRef<Value> sums,
                                            ArrayRef<IndexForm> extra,
                                            Value whole, int64_t trips) {
  IndexForm begin = base[laneDim] + extra[laneDim];
  int64_t extent = kernel.getExtents()[laneDim];
  bool never = extent % lanes == 0 && begin.isMultipleOf(lanes);
  if (never || !(begin + (trips * lanes - 1)).mayReach(extent))
    return SmallVector<Value>(sums);
  SmallVector<IndexForm> here(extra);
  here[laneDim] =
      here[laneDim] + IndexForm(IndexTerm{whole, lanes, trips + 1, {}});
  Value at = indices.value(base[laneDim] + here[laneDim]);
  Value count = indices.sub(parent.endOf(laneDim), at);
  Value some =
      indices.compare(arith::CmpIPredicate::sgt, count, indices.constant(0));
  Value unfinished = indices.compare(arith::CmpIPredicate::slt, whole,
                                     indices.constant(trips));
  some = indices.both(some, unfinished);
  auto ifOp = scf::IfOp::create(builder, loc, TypeRange(ValueRange(sums)), some,
                                /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  tailMask = indices.mask(count, lanes);
  scf::YieldOp::create(builder, loc, reduce(serial.size(), sums, here));
  tailMask = nullptr;
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, sums);
  return SmallVector<Value>(ifOp.getResults());
}

Value ComputeLowering::onlyTail(Value value, Value accumulator) {
  if (!tailMask)
    return value;
  return arith::SelectOp::create(builder, loc, tailMask, value, accumulator);
}
