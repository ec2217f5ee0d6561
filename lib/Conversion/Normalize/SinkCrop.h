//===- SinkCrop.h - crop results after elementwise ops ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_SINKCROP_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_SINKCROP_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Moves `crop`, a slice at offset zero of a result, after the elementwise ops
/// that are its only readers one after the other, so that they can become the
/// epilogue of the result's task. They then also compute the elements that the
/// slice drops. Their other inputs must not depend on a cropped dimension, or
/// be slices of the same place in tensors of the same shape.
void sinkCrop(mlir::RewriterBase &rewriter, mlir::tensor::ExtractSliceOp crop);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_SINKCROP_H
