//===- DecomposeAggregate.h - ops on whole tensors --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that compute with whole tensors and have no loops of their own become
// reshapes, pads and structured ops, which every later pass supports.

#ifndef PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
#define PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace pruner {

/// True if `op` is a `linalg.softmax`, `linalg.pack`, `linalg.unpack`,
/// `tensor.gather`, `tensor.scatter` or `tensor.bitcast`.
bool isAggregate(mlir::Operation *op);

/// Why the aggregate `op` cannot be decomposed, as text for a diagnostic
/// ("inner tiles of dynamic size, expected constants"); empty if it can be.
std::string whyNotDecomposed(mlir::Operation *op);

/// Replaces the aggregate `op`. Fails without a change if `whyNotDecomposed`
/// returns a reason.
mlir::LogicalResult decomposeAggregate(mlir::RewriterBase &rewriter,
                                       mlir::Operation *op);

/// Replaces all aggregates in `root` and calls `onRewrite` before each. Returns
/// those that cannot be decomposed.
llvm::SmallVector<mlir::Operation *>
decomposeAggregates(mlir::RewriterBase &rewriter, mlir::Operation *root,
                    llvm::function_ref<void(mlir::Operation *)> onRewrite = {});

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
