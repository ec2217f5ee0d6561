//===- OutputCoverage.h - which elements an op writes -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H
#define PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// Whether `op` writes every element of its result for `init`, so that none is
/// left as it was in `init`. False where that is not known.
bool writesAll(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

/// Whether `op` writes every element of its result for `init` in exactly one
/// iteration. False where that is not known.
bool writesAllOnce(mlir::linalg::LinalgOp op, mlir::OpOperand &init);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_OUTPUTCOVERAGE_H
