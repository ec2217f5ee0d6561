//===- HoistSlices.cpp - slices are taken before data moves ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"
#include "MatchCopy.h"
#include "Reshape.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_HOISTSLICES
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Replaces `op`, a slice of a permuting copy, by a slice of what was copied,
/// if that has the same elements in the same order: the dimensions that the
/// slice keeps must not have changed places among themselves.
static bool hoist(IRRewriter &rewriter, tensor::ExtractSliceOp op) {
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
struct HoistSlices : pruner::impl::HoistSlicesBase<HoistSlices> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<tensor::ExtractSliceOp> slices;
    getOperation().walk(
        [&](tensor::ExtractSliceOp op) { slices.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (tensor::ExtractSliceOp op : slices)
      numHoisted += hoist(rewriter, op);
  }
};
} // namespace
