//===- VerifyParts.h - rules that several operations share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYPARTS_H
#define PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYPARTS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// A3: every offset is an induction variable of an enclosing band, and occurs
/// once.
mlir::LogicalResult verifyAt(mlir::Operation *op, mlir::OperandRange at);

/// The body's arguments must be the inputs' elements (and the output's, if
/// requested), and it must yield one element of the output.
mlir::LogicalResult verifyBody(mlir::Operation *op, llvm::StringRef rule,
                               mlir::Block &body, mlir::ValueRange inputs,
                               mlir::Value output, bool takesOutput);

/// Lowering computes addresses from linear maps. `what` names the rule and the
/// map in the message.
mlir::LogicalResult verifyLinear(mlir::Operation *op, const llvm::Twine &what,
                                 mlir::AffineMap map);

} // namespace pruner

#endif // PRUNER_LIB_DIALECT_PRUNER_IR_VERIFYPARTS_H
