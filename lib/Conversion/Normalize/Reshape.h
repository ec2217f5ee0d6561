//===- Reshape.h - one reshape between two shapes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_RESHAPE_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_RESHAPE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// True if at most one expand_shape or collapse_shape leads from `from` to
/// `to`. Both must be static and have the same elements in the same order.
bool canReshape(mlir::RankedTensorType from, mlir::RankedTensorType to);

/// `value` reshaped to `to`, or `value` itself if it has that shape. Requires
/// `canReshape`.
mlir::Value reshape(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::Value value, mlir::RankedTensorType to);

/// True if `sliceAs` can give a slice of type `slice` the type `to`.
bool canSliceAs(mlir::RankedTensorType slice, mlir::RankedTensorType to);

/// A slice of `source` as a tensor of type `to`; `slice` is its type with all
/// dimensions. The slice drops dimensions if it can, and a reshape does the
/// rest.
mlir::Value sliceAs(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::Value source,
                    llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::ArrayRef<mlir::OpFoldResult> strides,
                    mlir::RankedTensorType slice, mlir::RankedTensorType to);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_RESHAPE_H
