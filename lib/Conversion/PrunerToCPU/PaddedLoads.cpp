//===- PaddedLoads.cpp - inputs that are read outside of their tensors ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A tile whose windows lie inside of the tensors reads them like other inputs.
// The version for tiles at the borders clamps coordinates to the tensor, and
// replaces the elements of positions outside by the padding value.
//
//===----------------------------------------------------------------------===//

#include "ComputeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pruner;

bool ComputeLowering::isPadded(unsigned n) {
  return n < op.getInputs().size() && op.getPaddingOf(n);
}

/// Calls `test` with the first and last position of the tile along each
/// coordinate of a padded input, and the extent of the tensor.
void ComputeLowering::forEachWindow(
    llvm::function_ref<void(const IndexForm &, const IndexForm &, int64_t)>
        test) {
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    if (!isPadded(n))
      continue;
    ArrayRef<int64_t> shape = cast<MemRefType>(operand(n).getType()).getShape();
    SmallVector<IndexForm> coords = applyMap(maps[n], base);
    for (unsigned r = 0; r < coords.size(); ++r) {
      int64_t low = 0, high = 0;
      for (unsigned dim = 0; dim < box.size(); ++dim) {
        SmallVector<int64_t> move(box.size(), 0);
        move[dim] = box[dim] - 1;
        int64_t moved = applyMoves(maps[n], move)[r];
        (moved < 0 ? low : high) += moved;
      }
      test(coords[r] + low, coords[r] + high, shape[r]);
    }
  }
}

/// Whether the windows of this tile may leave the tensors of padded inputs.
bool ComputeLowering::mayLeaveTensors() {
  bool leaves = false;
  forEachWindow(
      [&](const IndexForm &first, const IndexForm &last, int64_t extent) {
        leaves |= first.mayBeNegative() || last.mayReach(extent);
      });
  return leaves;
}

/// Tests whether they do not; null if they never do.
Value ComputeLowering::areWindowsInside() {
  Value inside;
  forEachWindow(
      [&](const IndexForm &first, const IndexForm &last, int64_t extent) {
        inside = indices.within(inside, first, last, extent);
      });
  return inside;
}

/// Limits the coordinates of padded input `n`, except `except`, to the tensor.
/// Returns whether they were inside; null if they always are.
Value ComputeLowering::clampToTensor(unsigned n,
                                     MutableArrayRef<IndexForm> coords,
                                     std::optional<unsigned> except) {
  Value inside;
  ArrayRef<int64_t> shape = cast<MemRefType>(operand(n).getType()).getShape();
  for (auto [r, coord] : llvm::enumerate(coords)) {
    bool below = coord.mayBeNegative(), above = coord.mayReach(shape[r]);
    if (r == except || !(below || above))
      continue;
    Value at = indices.value(coord);
    if (below) {
      Value zero = indices.constant(0);
      inside = indices.both(
          inside, indices.compare(arith::CmpIPredicate::sge, at, zero));
      at = indices.max(at, zero);
    }
    if (above) {
      inside =
          indices.both(inside, indices.compare(arith::CmpIPredicate::slt, at,
                                               indices.constant(shape[r])));
      at = indices.min(at, indices.constant(shape[r] - 1));
    }
    coord = IndexForm::opaque(at);
  }
  return inside;
}

/// A mask of the lanes that are inside of padded input `n`, whose coordinate
/// `coord` is `first` in the first lane and grows by one from lane to lane.
/// Null if all lanes are.
Value ComputeLowering::lanesInTensor(unsigned n, unsigned coord,
                                     const IndexForm &first) {
  int64_t extent = cast<MemRefType>(operand(n).getType()).getDimSize(coord);
  Value inside;
  if ((first + (lanes - 1)).mayReach(extent))
    inside = indices.mask(
        indices.sub(indices.constant(extent), indices.value(first)), lanes);
  if (first.mayBeNegative()) {
    Value outside = indices.mask(
        indices.sub(indices.constant(0), indices.value(first)), lanes);
    auto type = cast<VectorType>(outside.getType());
    Value all = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, builder.getBoolAttr(true)));
    Value notBelow = arith::XOrIOp::create(builder, loc, outside, all);
    inside =
        inside
            ? arith::AndIOp::create(builder, loc, inside, notBelow).getResult()
            : notBelow;
  }
  return inside;
}

/// The padding value of input `n` in the type `type`.
Value ComputeLowering::padding(unsigned n, Type type) {
  TypedAttr value = op.getPaddingOf(n);
  if (auto vector = dyn_cast<VectorType>(type))
    value = SplatElementsAttr::get(vector, value);
  return arith::ConstantOp::create(builder, loc, value);
}

/// `value`, or the padding value of input `n` where `inside` is false.
Value ComputeLowering::orPadding(unsigned n, Value inside, Value value) {
  if (!inside)
    return value;
  return arith::SelectOp::create(builder, loc, inside, value,
                                 padding(n, value.getType()));
}
