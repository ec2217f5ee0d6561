//===- NormalizeStrides.cpp - strides of slices that bufferize correctly --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_NORMALIZESTRIDESPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// True if upstream misinterprets the view that `op` becomes. It identifies
/// dropped dimensions by the strides of the source, which only unit steps
/// preserve.
template <typename SliceOp>
static bool isMisread(SliceOp op, RankedTensorType part) {
  bool drops = part.getRank() < int64_t(op.getStaticSizes().size());
  return drops && llvm::any_of(op.getStaticStrides(),
                               [](int64_t stride) { return stride != 1; });
}

namespace {
struct NormalizeStridesPass
    : public pruner::impl::NormalizeStridesPassBase<NormalizeStridesPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        normalize(slice);
      else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
        normalize(slice);
    });
    SmallVector<Operation *> slices;
    getOperation().walk([&](Operation *op) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
          slice && isMisread(slice, slice.getType()))
        slices.push_back(op);
      else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op);
               slice && isMisread(slice, slice.getSourceType()))
        slices.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : slices) {
      rewriter.setInsertionPoint(op);
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        keepRank(rewriter, slice);
      else
        keepRank(rewriter, cast<tensor::InsertSliceOp>(op));
    }
  }

private:
  template <typename SliceOp> void normalize(SliceOp op) {
    SmallVector<int64_t> strides(op.getStaticStrides());
    bool changed = false;
    for (auto [stride, size] : llvm::zip_equal(strides, op.getStaticSizes()))
      if (size == 1 && stride != 1 && !ShapedType::isDynamic(stride)) {
        stride = 1;
        changed = true;
      }
    if (!changed)
      return;
    op.setStaticStrides(strides);
    ++numSlices;
  }

  /// Keeps the rank of the slice and drops dimensions by a reshape.
  void keepRank(RewriterBase &rewriter, tensor::ExtractSliceOp op) {
    RankedTensorType reduced = op.getType(),
                     whole = reduced.clone(op.getStaticSizes());
    auto groups = getReassociationIndicesForReshape(whole, reduced);
    if (!groups)
      return;
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), whole, op.getSource(), op.getMixedOffsets(),
        op.getMixedSizes(), op.getMixedStrides());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, reduced, slice,
                                                         *groups);
    ++numSlices;
  }

  void keepRank(RewriterBase &rewriter, tensor::InsertSliceOp op) {
    RankedTensorType reduced = op.getSourceType(),
                     whole = reduced.clone(op.getStaticSizes());
    auto groups = getReassociationIndicesForReshape(reduced, whole);
    if (!groups || !whole.hasStaticShape())
      return;
    Value source = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), whole,
                                                 op.getSource(), *groups);
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
        op, source, op.getDest(), op.getMixedOffsets(), op.getMixedSizes(),
        op.getMixedStrides());
    ++numSlices;
  }
};
} // namespace
