//===- FillBehind.cpp - zeros beyond the terms of a sum -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"
#include "StageLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

std::optional<SumEnd> pruner::sumEnd(Value buffer, KernelOp kernel) {
  for (OpOperand &use : buffer.getUses()) {
    auto compute = dyn_cast<ComputeOp>(use.getOwner());
    if (!compute || !compute.getInstruction() || compute.getOutput() == buffer)
      continue;
    AffineMap map = compute.getMap(use.getOperandNumber() -
                                   unsigned(compute.getAt().size()));
    for (unsigned l = 0; l < compute.getNumLoops(); ++l) {
      if (compute.getLoopLevel(l) != LoopKind::Dot)
        continue;
      int64_t dim = compute.getLoopDims()[l];
      int64_t extent = kernel.getExtents()[dim];
      int64_t end = llvm::alignTo(extent, compute.getLoopExtents()[l]);
      for (auto [r, expr] : llvm::enumerate(map.getResults()))
        if (end > extent && expr == getAffineDimExpr(dim, map.getContext()))
          return SumEnd{unsigned(r), end};
    }
  }
  return std::nullopt;
}

/// Sets the terms of sums to zero that matrix instructions read beyond the
/// tensor. They are few: less than a step of the sum.
void StageLowering::fillBehind() {
  std::optional<SumEnd> sum = sumEnd(op.getResult(), parent.kernel);
  if (!sum)
    return;
  // Relative to the box. Only the last one reaches beyond the tensor.
  Value start = indices.value(origin[sum->coord]);
  Value begin = indices.sub(indices.constant(op.getShape()[sum->coord]), start);
  Value end = indices.min(indices.sub(indices.constant(sum->end), start),
                          indices.constant(op.getBox()[sum->coord]));
  auto forOp =
      scf::ForOp::create(builder, loc, begin, end, indices.constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  Forms local(origin.size());
  local[sum->coord] = IndexForm::opaque(forOp.getInductionVar());
  zeroFrom(0, sum->coord, local);
}

/// Emits loops over the physical dimensions from `p` inward that do not move
/// coordinate `coord`, whose position is in `local`.
void StageLowering::zeroFrom(unsigned p, unsigned coord, Forms local) {
  if (p == target.shape.size()) {
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(target.element()));
    SmallVector<int64_t> still(origin.size(), 0);
    Value at =
        indices.value(getAddress(indices, target, local, still, 1).address);
    memref::StoreOp::create(builder, loc, zero, target.memref, ValueRange{at});
    return;
  }
  if (term(p).coord == coord)
    return zeroFrom(p + 1, coord, local);
  lowerLoop(p, local, indices.constant(0), indices.constant(extents[p]), 1,
            [&](Forms here) { zeroFrom(p + 1, coord, here); });
}

/// Zero instead of `value` where the place is beyond the terms of a sum that a
/// matrix instruction reads from the output. Its other factor is zero there, so
/// this matters only for floats: zero times infinity is not zero.
Value ComputeLowering::zeroBehind(ArrayRef<int64_t> offset, Value value) {
  if (!op.getOutput().getDefiningOp<AllocOp>() ||
      !isa<FloatType>(getElementTypeOrSelf(value)))
    return value;
  std::optional<SumEnd> sum = sumEnd(op.getOutput(), kernel);
  if (!sum)
    return value;
  auto along = cast<AffineDimExpr>(op.getOutputMap().getResult(sum->coord));
  unsigned dim = along.getPosition();
  int64_t extent = kernel.getExtents()[dim];
  bool isAlongLanes = int(dim) == laneDim;
  IndexForm first = base[dim] + offset[dim];
  if (!(first + (isAlongLanes ? lanes - 1 : 0)).mayReach(extent))
    return value;
  Value inside;
  if (isAlongLanes) {
    value = vectorOf(value);
    inside = laneMask(offset);
  } else {
    inside = indices.compare(arith::CmpIPredicate::slt, indices.value(first),
                             indices.constant(extent));
  }
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(value.getType()));
  return arith::SelectOp::create(builder, loc, inside, value, zero);
}
