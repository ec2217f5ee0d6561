//===- SafeDivision.h - integer division that never traps -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_UTILS_SAFEDIVISION_H
#define PRUNER_LIB_DIALECT_PRUNER_UTILS_SAFEDIVISION_H

#include "mlir/IR/Builders.h"

namespace pruner {

/// True if `op` computes a quotient or a remainder of integers.
bool isIntegerDivision(mlir::Operation &op);

/// The divisor to use instead of `operands[1]` when the integer division `op`
/// is emitted for `operands` (scalars or vectors). It is one where the divisor
/// is zero, and where the division is the smallest signed number by minus one;
/// both have no result and trap on CPUs. Any division may meet these values,
/// because lanes and positions beyond a task's domain compute with undefined
/// numbers.
mlir::Value safeDivisor(mlir::OpBuilder &builder, mlir::Operation &op,
                        mlir::ValueRange operands);

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_UTILS_SAFEDIVISION_H
