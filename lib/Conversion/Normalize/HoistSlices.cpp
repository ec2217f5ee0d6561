//===- HoistSlices.cpp - slice tensors before copying them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchCopy.h"
#include "Reshape.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_HOISTSLICESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Replaces `op`, a slice of a permuting copy, by a slice of the copy's source,
/// if that has the same elements in the same order. The dimensions that the
/// slice keeps must have the same relative order.
static bool hoistOverCopy(IRRewriter &rewriter, tensor::ExtractSliceOp op) {
  std::optional<pruner::CopyOf> copy =
      pruner::matchCopy(op.getSource().getDefiningOp());
  if (!copy || !copy->map.isPermutation() || !op.getType().hasStaticShape())
    return false;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  int64_t last = -1;
  for (unsigned i = 0; i < copy->map.getNumResults(); ++i) {
    int64_t dim = copy->map.getDimPosition(i);
    int64_t size = op.getStaticSizes()[dim];
    if (ShapedType::isDynamic(size) || (size != 1 && dim < last))
      return false;
    if (size != 1)
      last = dim;
    offsets.push_back(op.getMixedOffsets()[dim]);
    sizes.push_back(op.getMixedSizes()[dim]);
    strides.push_back(op.getMixedStrides()[dim]);
    shape.push_back(size);
  }
  auto type = RankedTensorType::get(shape, op.getType().getElementType());
  if (!pruner::canSliceAs(type, op.getType()))
    return false;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, pruner::sliceAs(rewriter, op.getLoc(), copy->source,
                                         offsets, sizes, strides, type,
                                         op.getType()));
  return true;
}

namespace {
/// A slice of a reshaped tensor, dimension by dimension.
struct Box {
  SmallVector<int64_t> extents, offsets, sizes;
  /// For each dimension before an expansion, the dimensions that it became; for
  /// each dimension after a collapse, the dimensions that became it.
  SmallVector<ReassociationIndices> groups;

  void add(int64_t extent, int64_t offset, int64_t size) {
    extents.push_back(extent);
    offsets.push_back(offset);
    sizes.push_back(size);
  }
};
} // namespace

/// True if `slice` (may be null) has unit strides and static offsets and sizes.
static bool isPlain(tensor::ExtractSliceOp slice) {
  return slice && slice.getSourceType().hasStaticShape() &&
         !slice.getSourceType().getEncoding() &&
         !ShapedType::isDynamicShape(slice.getStaticOffsets()) &&
         !ShapedType::isDynamicShape(slice.getStaticSizes()) &&
         llvm::all_of(slice.getStaticStrides(),
                      [](int64_t stride) { return stride == 1; });
}

/// Replaces `op`, which reshapes a slice, by the slice `box` of `source`.
static void replaceBySlice(IRRewriter &rewriter, Operation *op, Value source,
                           const Box &box) {
  MLIRContext *context = op->getContext();
  SmallVector<OpFoldResult> strides(box.sizes.size(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
      op, cast<RankedTensorType>(op->getResult(0).getType()), source,
      getAsIndexOpFoldResult(context, box.offsets),
      getAsIndexOpFoldResult(context, box.sizes), strides);
}

/// Replaces `op`, which expands a slice, by a slice of the expanded tensor. If
/// a dimension is both sliced and expanded, the slice must consist of whole
/// rows of the inner dimensions.
static bool hoistOverExpand(IRRewriter &rewriter, tensor::ExpandShapeOp op) {
  auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
  // A single element has no dimension to assign the new ones to.
  if (!op.getType().hasStaticShape() || !isPlain(slice) ||
      slice.getType().getRank() == 0)
    return false;
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Box box;
  unsigned next = 0;
  for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim) {
    int64_t extent = slice.getSourceType().getDimSize(dim);
    int64_t offset = slice.getStaticOffsets()[dim];
    box.groups.push_back({static_cast<int64_t>(box.extents.size())});
    if (dropped.test(dim)) {
      box.add(extent, offset, 1);
      continue;
    }
    ArrayRef<int64_t> parts = op.getType().getShape().slice(
        groups[next].front(), groups[next].size());
    ++next;
    int64_t row = llvm::product_of(parts.drop_front());
    if (row == 0 || extent % row || offset % row)
      return false;
    box.add(extent / row, offset / row, parts.front());
    for (int64_t part : parts.drop_front()) {
      box.groups.back().push_back(box.extents.size());
      box.add(part, 0, part);
    }
  }
  rewriter.setInsertionPoint(op);
  Value expanded = tensor::ExpandShapeOp::create(
      rewriter, op.getLoc(),
      RankedTensorType::get(box.extents, op.getType().getElementType()),
      slice.getSource(), box.groups);
  replaceBySlice(rewriter, op, expanded, box);
  return true;
}

/// Replaces `op`, which collapses a slice, by a slice of the collapsed tensor.
/// Only the first of the dimensions that become one may be sliced.
static bool hoistOverCollapse(IRRewriter &rewriter,
                              tensor::CollapseShapeOp op) {
  auto slice = op.getSrc().getDefiningOp<tensor::ExtractSliceOp>();
  if (!isPlain(slice) || op.getResultType().getRank() == 0)
    return false;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  Box box;
  int64_t dim = 0;
  auto addDropped = [&] {
    for (; dim < slice.getSourceType().getRank() && dropped.test(dim); ++dim) {
      box.groups.push_back({dim});
      box.add(slice.getSourceType().getDimSize(dim),
              slice.getStaticOffsets()[dim], 1);
    }
  };
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    addDropped();
    int64_t first = dim++, row = 1;
    box.groups.push_back({first});
    for (size_t i = 1; i < group.size(); ++i, ++dim) {
      int64_t extent = slice.getSourceType().getDimSize(dim);
      if (dropped.test(dim) || slice.getStaticSizes()[dim] != extent)
        return false;
      box.groups.back().push_back(dim);
      row *= extent;
    }
    box.add(slice.getSourceType().getDimSize(first) * row,
            slice.getStaticOffsets()[first] * row,
            slice.getStaticSizes()[first] * row);
  }
  addDropped();
  rewriter.setInsertionPoint(op);
  Value collapsed = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(),
      RankedTensorType::get(box.extents, op.getResultType().getElementType()),
      slice.getSource(), box.groups);
  replaceBySlice(rewriter, op, collapsed, box);
  return true;
}

namespace {
struct HoistSlices : pruner::impl::HoistSlicesPassBase<HoistSlices> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    // Each rewrite may enable another. Copies end up above slices and reshapes
    // below, so the loop terminates.
    for (bool changed = true; changed;) {
      SmallVector<Operation *> ops;
      getOperation().walk([&](Operation *op) {
        if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                tensor::CollapseShapeOp>(op))
          ops.push_back(op);
      });
      unsigned hoisted = 0, moved = 0;
      for (Operation *op : ops) {
        if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
          hoisted += hoistOverCopy(rewriter, slice);
        else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
          moved += hoistOverExpand(rewriter, expand);
        else
          moved +=
              hoistOverCollapse(rewriter, cast<tensor::CollapseShapeOp>(op));
      }
      numHoisted += hoisted;
      numReshaped += moved;
      changed = hoisted + moved != 0;
    }
  }
};
} // namespace
