//===- OutputCoverage.h - the elements that an op writes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H
#define PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// True if `op` writes every element of its result for `init`. False if this is
/// unknown.
bool writesAll(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

/// True if `op` writes every element of its result for `init` in exactly one
/// iteration. False if this is unknown.
bool writesAllOnce(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H
