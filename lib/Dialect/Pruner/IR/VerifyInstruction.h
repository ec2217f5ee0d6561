//===- VerifyInstruction.h - rule C12 of pruner.compute ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYINSTRUCTION_H
#define PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYINSTRUCTION_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// Checks that the matrix instruction of `op` computes its loops and body.
mlir::LogicalResult verifyInstruction(ComputeOp op, KernelOp kernel);

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYINSTRUCTION_H
