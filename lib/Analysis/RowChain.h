//===- RowChain.h - reading chains over rows --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_ANALYSIS_ROWCHAIN_H
#define PRUNER_LIB_ANALYSIS_ROWCHAIN_H

#include "pruner/Analysis/TaskFromIR.h"

#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// The tensors of a task, numbered on first sight.
class TensorNumbers {
public:
  explicit TensorNumbers(TaskDesc &task) : task(task) {}

  /// The number of `value`; emits an error at `where` if its type cannot be
  /// tuned. `argument` is its position among the kernel's arguments, or -1.
  mlir::FailureOr<int> add(mlir::Value value, int argument,
                           mlir::Operation *where);

private:
  TaskDesc &task;
  llvm::DenseMap<mlir::Value, int> numbers;
};

/// Bodies are copied into the kernel: they compute with elements of the
/// operands and constants only. Emits an error at what does not fit.
mlir::LogicalResult checkTaskBody(mlir::Block &body);

/// The constant that `fill` fills with; emits an error if it is none.
mlir::LogicalResult readFill(mlir::linalg::FillOp fill, mlir::TypedAttr &value);

/// Whether some op uses the result of a reduction, or what was computed from
/// it, for several of its points: then the ops, given in the order of
/// execution, are a chain over rows, or no task.
bool isRowChain(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

/// Reads the ops of `func`, all with one result, as a chain over rows. Emits an
/// error at the op that does not fit.
mlir::LogicalResult readRowChain(mlir::func::FuncOp func,
                                 llvm::ArrayRef<mlir::linalg::LinalgOp> ops,
                                 TensorNumbers &numbers, TaskIR &task);

} // namespace pruner

#endif // PRUNER_LIB_ANALYSIS_ROWCHAIN_H
