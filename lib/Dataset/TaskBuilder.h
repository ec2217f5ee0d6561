//===- TaskBuilder.h - functions of tasks that others describe by numbers *- C++
//-*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_DATASET_TASKBUILDER_H
#define PRUNER_LIB_DATASET_TASKBUILDER_H

#include "pruner/Dataset/Dataset.h"
#include "pruner/Program/Task.h"

#include "mlir/IR/MLIRContext.h"

namespace pruner {

/// One operation on f32, as another program's parameters describe it.
struct OperationShape {
  enum class Body {
    Product, ///< out += input 0 * input 1
    Sum,     ///< out += input 0
    Relu,    ///< out = max(input 0, 0)
  };
  struct Input {
    llvm::SmallVector<int64_t, 4> shape; ///< Before padding.
    AccessMap map;                       ///< Of the padded tensor.
  };
  Body body = Body::Product;
  /// Parallel dimensions first: those of the result, in order.
  llvm::SmallVector<IterDim, 7> dims;
  llvm::SmallVector<Input, 2> inputs;
  /// Zeros before and behind each coordinate of input 0; empty: none.
  llvm::SmallVector<int64_t, 4> low, high;
  /// Behind the operation: a tensor of the result's shape is added, then the
  /// maximum with zero taken.
  bool adds = false, rectifies = false;

  /// Coordinate `coefficient` * d0 + d1 + ... of a map.
  LinearExpr coordinate(
      llvm::ArrayRef<std::pair<unsigned, int64_t>> dimsAndCoefficients) const;
  /// Takes dimensions of one iteration out, and coordinates that then are
  /// constant. Returns which dimensions are left.
  llvm::SmallVector<bool, 8> dropUnitDims();
  /// Text that is equal exactly for equal shapes.
  std::string key() const;
};

struct BuiltTask {
  DatasetTask task;
  TaskDesc desc;
};

/// The function of that operation, in a module of its own, with `pruner.task`
/// and a name as extraction makes them. The error says why it is no task: its
/// sizes may be too large.
llvm::Expected<BuiltTask> buildTask(const OperationShape &shape,
                                    mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_TASKBUILDER_H
