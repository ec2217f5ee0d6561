//===- Reshape.cpp - one reshape between two shapes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reshape.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;

bool pruner::canReshape(RankedTensorType from, RankedTensorType to) {
  if (!from.hasStaticShape() || !to.hasStaticShape() ||
      from.getElementType() != to.getElementType() ||
      from.getEncoding() != to.getEncoding())
    return false;
  return from == to || (from.getRank() != to.getRank() &&
                        getReassociationIndicesForReshape(from, to));
}

Value pruner::reshape(RewriterBase &rewriter, Location loc, Value value,
                      RankedTensorType to) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == to)
    return value;
  SmallVector<ReassociationIndices> groups =
      *getReassociationIndicesForReshape(from, to);
  if (from.getRank() < to.getRank())
    return tensor::ExpandShapeOp::create(rewriter, loc, to, value, groups);
  return tensor::CollapseShapeOp::create(rewriter, loc, to, value, groups);
}

/// True if `to` is `slice` without some of its unit dimensions.
static bool isReduced(RankedTensorType slice, RankedTensorType to) {
  return isRankReducedType(slice, to) == SliceVerificationResult::Success;
}

bool pruner::canSliceAs(RankedTensorType slice, RankedTensorType to) {
  return isReduced(slice, to) || canReshape(slice, to);
}

Value pruner::sliceAs(RewriterBase &rewriter, Location loc, Value source,
                      ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes,
                      ArrayRef<OpFoldResult> strides, RankedTensorType slice,
                      RankedTensorType to) {
  Value result = tensor::ExtractSliceOp::create(
      rewriter, loc, isReduced(slice, to) ? to : slice, source, offsets, sizes,
      strides);
  return reshape(rewriter, loc, result, to);
}
