//===- TaskReader.h - state shared by the readers of tasks ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECOGNITION_TASKREADER_H
#define PRUNER_LIB_RECOGNITION_TASKREADER_H

#include "pruner/Recognition/TaskFromIR.h"

#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// A group of ops that is being read as a task.
struct TaskReader {
  TaskReader(const TaskGroup &group, Obstacle &obstacle);

  /// Records why the group is not a task.
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &reason);

  /// Assigns a number to `value`, a result of an op of the group.
  int addTensor(mlir::Value value, int argument = -1);

  /// The number of `value`, which an op of the group reads. The value is an
  /// argument or the result of another op.
  mlir::FailureOr<int> findTensor(mlir::OpOperand &operand, mlir::Value value);

  const TaskGroup &group;
  Obstacle &obstacle;
  TaskIR task;
  /// The ops of the group without the pads.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;

private:
  llvm::DenseMap<mlir::Value, int> numbers;
};

/// True if some op uses the result of a reduction, or a value computed from it,
/// at several points. The ops, given in the order of execution, are then a
/// chain over rows or not a task.
bool isRowChain(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// Reads the ops of `reader`, each of which may be part of a task, as a chain
/// over rows.
mlir::LogicalResult readRowChain(TaskReader &reader);

/// True if the first and the last reduction of `ops` are different products of
/// two tensors.
bool joinsProducts(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// Reads the ops of `reader`, whose first and last reductions are products, as
/// a chain between products.
mlir::LogicalResult readJoinedProducts(TaskReader &reader);

/// Reads one op as a statement over its own loops. `addInput` describes each
/// input.
mlir::LogicalResult readOwnLoops(
    TaskReader &reader, mlir::linalg::LinalgOp op,
    llvm::function_ref<mlir::LogicalResult(mlir::OpOperand &, OperandDesc &)>
        addInput);

} // namespace pruner

#endif // PRUNER_LIB_RECOGNITION_TASKREADER_H
