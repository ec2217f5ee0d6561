//===- InlineCall.h - inline a call -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_INLINECALL_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_INLINECALL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// Replaces `call` by copies of the ops of `callee`, which has one block.
/// Returns the copies in order.
llvm::SmallVector<mlir::Operation *> inlineCall(mlir::func::CallOp call,
                                                mlir::func::FuncOp callee);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_INLINECALL_H
