//===- SafeDivision.h - integer division that never traps -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_SAFEDIVISION_H
#define PRUNER_DIALECT_PRUNER_UTILS_SAFEDIVISION_H

#include "mlir/IR/Builders.h"

namespace pruner {

/// Whether `op` divides integers, for a quotient or a remainder.
bool isIntegerDivision(mlir::Operation &op);

/// What to divide by instead of `operands[1]` where `op`, an integer division,
/// is written for `operands` (scalars or vectors): one where that is zero, or
/// minus one below the smallest signed number, and itself elsewhere. Those two
/// have no result and trap on CPUs. Lanes and places beyond a task's domain
/// compute with numbers that are in no tensor, so any division may meet them.
mlir::Value safeDivisor(mlir::OpBuilder &builder, mlir::Operation &op,
                        mlir::ValueRange operands);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_SAFEDIVISION_H
