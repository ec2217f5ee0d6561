//===- DecomposeAggregate.h - ops on whole tensors --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that compute with whole tensors and have no loops of their own become
// reshapes, pads and structured ops, which every later pass can read.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
#define PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H

#include "mlir/IR/PatternMatch.h"

#include <string>

namespace pruner {

/// Whether `op` is a `linalg.softmax`, `linalg.pack`, `linalg.unpack`,
/// `tensor.gather`, `tensor.scatter` or `tensor.bitcast`.
bool isAggregate(mlir::Operation *op);

/// Why `op`, an aggregate, cannot be decomposed, in the words of a diagnostic
/// ("inner tiles of dynamic size, expected constants"); empty if it can be.
std::string whyNotDecomposed(mlir::Operation *op);

/// Replaces `op`, an aggregate, and leaves it where `whyNotDecomposed` has a
/// reason.
mlir::LogicalResult decomposeAggregate(mlir::RewriterBase &rewriter,
                                       mlir::Operation *op);

/// Replaces all aggregates in `root`, after a call of `onRewrite` for each;
/// returns those that stay.
llvm::SmallVector<mlir::Operation *>
decomposeAggregates(mlir::RewriterBase &rewriter, mlir::Operation *root,
                    llvm::function_ref<void(mlir::Operation *)> onRewrite = {});

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
