//===- DecomposeGather.h - gathers and scatters as loops --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_UTILS_DECOMPOSEGATHER_H
#define PRUNER_LIB_DIALECT_PRUNER_UTILS_DECOMPOSEGATHER_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {

/// Rewrites a gather as a generic that reads the coordinates through its maps
/// and the source by `tensor.extract`.
mlir::LogicalResult decomposeGather(mlir::RewriterBase &rewriter,
                                    mlir::tensor::GatherOp op);

/// Rewrites a scatter as loops over the coordinates, which insert slices.
mlir::LogicalResult decomposeScatter(mlir::RewriterBase &rewriter,
                                     mlir::tensor::ScatterOp op);

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_UTILS_DECOMPOSEGATHER_H
