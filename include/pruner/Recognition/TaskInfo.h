//===- TaskInfo.h - the pruner.task attribute -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_TASKINFO_H
#define PRUNER_RECOGNITION_TASKINFO_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace pruner {

/// The key of a task: a hash (32 hex digits) of everything that determines what
/// the function computes. It covers the type and the ops in generic form with
/// maps spelled out, but not locations, the function's name or its attributes.
/// The function has one block.
std::string taskKey(mlir::func::FuncOp function);

/// The attribute `pruner.task`. Lists, reports and the task scheduler read
/// these numbers here and do not count themselves.
struct TaskInfo {
  std::string key;    ///< `taskKey` at the time the attribute was made.
  int64_t weight = 1; ///< Calls of the task in its network.
  int64_t flops = 0;  ///< `TaskDesc::flops`: float and integer arithmetic.
  int64_t bytes = 0;  ///< `TaskDesc::bytes`: bytes read and written.

  /// Reads the attribute of `function`, which must have one. Missing numbers
  /// are computed from the function; they are zero if the function is not a
  /// task.
  static TaskInfo of(mlir::func::FuncOp function);
  /// Sets the attribute, or these four entries of it.
  void attachTo(mlir::func::FuncOp function) const;
};

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKINFO_H
