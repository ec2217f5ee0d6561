//===- Ranges.h - sizes of dynamic dimensions -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_IR_RANGES_H
#define PRUNER_LIB_DIALECT_PRUNER_IR_RANGES_H

#include "mlir/IR/Operation.h"

namespace pruner {

/// Verifies `pruner.range` of an argument of the function `op`: one
/// `#pruner.range` for each dynamic dimension, equal ones where the name is the
/// same.
mlir::LogicalResult verifyRange(mlir::Operation *op, unsigned argument,
                                mlir::Attribute range);

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_IR_RANGES_H
