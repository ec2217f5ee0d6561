//===- TaskKey.h - the identity of a task -----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_TASKKEY_H
#define PRUNER_CONVERSION_EXTRACTTASKS_TASKKEY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace pruner {

/// The hash (32 hex digits) of everything that determines what a task function
/// computes: its type and ops, in generic form with maps spelled out, without
/// locations, and without the function's name and attributes. The function has
/// one block.
std::string taskKey(mlir::func::FuncOp function);

} // namespace pruner

#endif // PRUNER_CONVERSION_EXTRACTTASKS_TASKKEY_H
