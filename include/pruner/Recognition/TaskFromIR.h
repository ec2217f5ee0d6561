//===- TaskFromIR.h - a task read from its ops ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_TASKFROMIR_H
#define PRUNER_RECOGNITION_TASKFROMIR_H

#include "pruner/Program/Task.h"
#include "pruner/Recognition/OpClass.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// Ops that may be one task, where they stand: in a network, or alone in a
/// function. Whether they are one says `recognizeTask`.
struct TaskGroup {
  TaskGroup() = default;
  /// `ops` of a network, in the order of execution. The last one leaves the
  /// result.
  explicit TaskGroup(llvm::ArrayRef<mlir::Operation *> ops);

  /// Linalg ops, and the pads in front of their inputs.
  llvm::SmallVector<mlir::Operation *> ops;
  /// What they take from elsewhere, in the order of the kernel's arguments.
  llvm::SmallVector<mlir::Value> arguments;
  mlir::Value result;
};

/// Whether the elements of `operand`, of a linalg op or pad, are read as they
/// come: neither a window nor a result in the making, of which only the shape
/// matters, nor the constant that a reduction starts from.
bool isRead(mlir::OpOperand &operand);

/// The constant that `init` is filled with; null if it is not.
mlir::TypedAttr fillValueOf(mlir::Value init);

/// Whether `value` is known before the network runs: a constant, an argument
/// that is marked as one, or computed from such alone.
bool isConstantTensor(mlir::Value value);

/// A task together with the linalg ops it was read from, one per statement:
/// what `TaskDesc` leaves out, because emitting code needs it and search does
/// not.
struct TaskIR {
  TaskDesc desc;
  llvm::SmallVector<mlir::linalg::LinalgOp, 4> ops;
  /// Per statement the linalg operand of each input. Operands whose elements
  /// the body does not use (the windows of pooling) are not inputs.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 4> operands;
  /// Per statement the constant that its accumulator starts from; null for
  /// those that do not reduce and where `desc.initTensor` is read instead.
  llvm::SmallVector<mlir::TypedAttr, 4> initValues;
  /// Per anchor input what a padded one holds outside of its tensor; null for
  /// the others.
  llvm::SmallVector<mlir::TypedAttr, 4> padValues;
};

/// Reads `group` as a task: an anchor linalg op, in front of each of its inputs
/// at most one all-parallel op and then one `tensor.pad` with a constant, and
/// at most one all-parallel op behind its output. Or a chain over rows:
/// reductions of rows and all-parallel ops that use their results. If it is
/// neither, `obstacle` says why not.
mlir::FailureOr<TaskIR> recognizeTask(const TaskGroup &group,
                                      Obstacle &obstacle);

/// Reads the function of a task, in the form that `pruner-extract-tasks`
/// leaves: static tensors in, one tensor out, and the ops of one task.
mlir::FailureOr<TaskIR> recognizeTask(mlir::func::FuncOp func,
                                      Obstacle &obstacle);

/// The same; emits an error at the op that does not fit.
mlir::FailureOr<TaskIR> readTask(mlir::func::FuncOp func);

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKFROMIR_H
