//===- TaskFromIR.h - read a task from its ops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_TASKFROMIR_H
#define PRUNER_RECOGNITION_TASKFROMIR_H

#include "pruner/Program/Task.h"
#include "pruner/Recognition/OpClass.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// Ops that may form one task, either inside a network or alone in a function.
/// `recognizeTask` decides whether they do.
struct TaskGroup {
  TaskGroup() = default;
  /// A group of `ops` of a network, in the order of execution. The last one
  /// computes the result.
  explicit TaskGroup(llvm::ArrayRef<mlir::Operation *> ops);

  /// Linalg ops, and the pads of their inputs.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Values from outside of the group, in the order of the kernel's arguments.
  llvm::SmallVector<mlir::Value> arguments;
  mlir::Value result;
};

/// True if `operand` of a linalg op or pad is an input whose elements are read.
/// False for the window of a pooling and the output operand of an elementwise
/// op, of which only the shape matters, and for the constant that a reduction
/// starts from.
bool isRead(mlir::OpOperand &operand);

/// The constant with which `init` is filled, or null.
mlir::TypedAttr fillValueOf(mlir::Value init);

/// True if `value` is known before the network runs: a constant, an argument
/// marked as constant, or computed from these alone.
bool isConstantTensor(mlir::Value value);

/// A task with the linalg ops it was read from, one per statement. It holds
/// what emitting code needs and search does not, and what `TaskDesc` therefore
/// omits.
struct TaskIR {
  TaskDesc desc;
  llvm::SmallVector<mlir::linalg::LinalgOp, 4> ops;
  /// Per statement, the linalg operand of each input. Operands whose elements
  /// the body does not use (the windows of pooling) are not inputs.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 4> operands;
  /// Per statement, the constant that its accumulator starts from. Null for
  /// statements that do not reduce, and for those that start from
  /// `desc.initTensor`.
  llvm::SmallVector<mlir::TypedAttr, 4> initValues;
  /// Per anchor input, the padding value; null for inputs without padding.
  llvm::SmallVector<mlir::TypedAttr, 4> padValues;
};

/// Reads `group` as a task with an anchor, or as a chain over rows.
///
/// An anchor is a linalg op. Each of its inputs may have one `tensor.pad` with
/// a constant before it and one all-parallel op before that. One all-parallel
/// op may follow its output. A chain over rows consists of reductions of rows
/// and all-parallel ops that use their results. If the group is neither,
/// `obstacle` states the reason.
mlir::FailureOr<TaskIR> recognizeTask(const TaskGroup &group,
                                      Obstacle &obstacle);

/// Reads a task function in the form that `pruner-extract-tasks` creates:
/// static tensors in, one tensor out, and the ops of one task.
mlir::FailureOr<TaskIR> recognizeTask(mlir::func::FuncOp func,
                                      Obstacle &obstacle);

/// The same, but emits an error at the op that does not fit.
mlir::FailureOr<TaskIR> readTask(mlir::func::FuncOp func);

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKFROMIR_H
