//===- DecomposeAggregate.h - softmax and its like --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
#define PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// Replaces `op`, which has no loop body of its own, by structured operations,
/// as upstream decomposes it. Fails, and leaves `op`, where there is no such
/// decomposition, and for operands that are no floats: that of a softmax
/// crashes on integers.
mlir::LogicalResult decomposeAggregate(mlir::RewriterBase &rewriter,
                                       mlir::linalg::AggregatedOpInterface op);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_DECOMPOSEAGGREGATE_H
