//===- TaskInfo.h - what the function of a task says of it ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_TASKINFO_H
#define PRUNER_RECOGNITION_TASKINFO_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace pruner {

/// The hash (32 hex digits) of everything that determines what a task function
/// computes: its type and ops, in generic form with maps spelled out, without
/// locations, and without the function's name and attributes. The function has
/// one block.
std::string taskKey(mlir::func::FuncOp function);

/// The attribute `pruner.task`. Lists, reports and the scheduler of tasks take
/// these numbers from here and count nothing themselves.
struct TaskInfo {
  std::string key;    ///< `taskKey` when the attribute was made.
  int64_t weight = 1; ///< Calls of the task in its network.
  int64_t flops = 0;  ///< `TaskDesc::flops`: float and integer arithmetic.
  int64_t bytes = 0;  ///< `TaskDesc::bytes`: read and written.

  /// Reads the attribute of `function`, which has one. Numbers that are left
  /// out are counted, and stay zero if the function is no task.
  static TaskInfo of(mlir::func::FuncOp function);
  /// Sets the attribute, or what it says of these four.
  void attachTo(mlir::func::FuncOp function) const;
};

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKINFO_H
