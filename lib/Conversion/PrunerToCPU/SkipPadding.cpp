//===- SkipPadding.cpp - omit steps that only read padding ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Where all places of a register tile read padding, an update adds nothing
// (`inside`). Such positions are at both ends of the loops over a window, so
// these loops begin later or end earlier; the innermost one only if it is not
// unrolled. Where a loop over a window is outside of the statement, a condition
// omits the statement.
//
//===----------------------------------------------------------------------===//

#include "ComputeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pruner;

/// Calls `test` with the first and last position of an execution along each
/// coordinate of `inside`, the distance to those of the next iteration of loop
/// number `loop`, and the extent. The loops further inside are part of the
/// execution; `outer` is its place in those further outside. Without `loop` the
/// whole statement is one execution.
void ComputeLowering::forEachPlace(
    std::optional<unsigned> loop, ArrayRef<IndexForm> outer,
    llvm::function_ref<void(const IndexForm &, const IndexForm &, int64_t,
                            int64_t)>
        test) {
  // The version for tiles whose windows are inside reads no padding.
  if (!op.getInside() || (!guarded && mayLeaveTensors()))
    return;
  AffineMap map = *op.getPlace();
  SmallVector<int64_t> spans(kernel.getNumDims(), 0), step(spans);
  bool isInside = !loop;
  for (unsigned l = 0; l < op.getNumLoops(); ++l) {
    isInside |= loop && l == *loop + 1;
    if (isInside || op.getLoopLevel(l) != LoopKind::Serial)
      spans[op.getLoopDims()[l]] +=
          (op.getLoopExtents()[l] - 1) * op.getLoopSteps()[l];
  }
  if (loop)
    step[op.getLoopDims()[*loop]] = op.getLoopSteps()[*loop];
  SmallVector<IndexForm> place(base);
  for (auto [at, more] : llvm::zip(place, outer))
    at = at + more;
  SmallVector<IndexForm> coords = applyMap(map, place);
  SmallVector<int64_t> next = applyMoves(map, step);
  for (auto [r, extent] : llvm::enumerate(*op.getInside())) {
    int64_t low = 0, high = 0;
    for (unsigned dim = 0; dim < spans.size(); ++dim) {
      SmallVector<int64_t> move(spans.size(), 0);
      move[dim] = spans[dim];
      int64_t moved = applyMoves(map, move)[r];
      (moved < 0 ? low : high) += moved;
    }
    test(coords[r] + low, coords[r] + high, next[r], extent);
  }
}

/// Whether the statement has points inside; null if it always has.
Value ComputeLowering::isAnyPointInside() {
  Value any;
  forEachPlace(
      {}, {},
      [&](const IndexForm &first, const IndexForm &last, int64_t,
          int64_t extent) {
        if (last.mayBeNegative())
          any = indices.both(any, indices.compare(arith::CmpIPredicate::sge,
                                                  indices.value(last),
                                                  indices.constant(0)));
        if (first.mayReach(extent))
          any = indices.both(any, indices.compare(arith::CmpIPredicate::slt,
                                                  indices.value(first),
                                                  indices.constant(extent)));
      });
  return any;
}

/// The iterations of serial loop number `loop`, of those before `bound`, that
/// have points inside: the first one and the end. If there is only one, it is
/// the whole statement.
std::pair<Value, Value>
ComputeLowering::iterationsInside(unsigned loop, ArrayRef<IndexForm> outer,
                                  Value bound) {
  Value begin = indices.constant(0), end = bound;
  int64_t trips = op.getLoopExtents()[loop];
  if (trips == 1)
    return {begin, end};
  forEachPlace(
      loop, outer,
      [&](const IndexForm &first, const IndexForm &last, int64_t distance,
          int64_t extent) {
        if (distance <= 0)
          return;
        Value divisor = indices.constant(distance);
        if (last.mayBeNegative()) {
          Value outside =
              indices.sub(indices.constant(distance - 1), indices.value(last));
          outside = indices.max(outside, indices.constant(0));
          outside = indices.divU(outside, divisor);
          begin = getConstantIntValue(begin) == 0 ? outside
                                                  : indices.max(begin, outside);
        }
        if ((first + distance * (trips - 1)).mayReach(extent)) {
          Value inside = indices.sub(indices.constant(extent - 1 + distance),
                                     indices.value(first));
          inside = indices.max(inside, indices.constant(0));
          end = indices.min(end, indices.divU(inside, divisor));
        }
      });
  return {begin, end};
}
