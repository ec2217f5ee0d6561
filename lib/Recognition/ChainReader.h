//===- ChainReader.h - read the statements of chains ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RECOGNITION_CHAINREADER_H
#define PRUNER_LIB_RECOGNITION_CHAINREADER_H

#include "TaskReader.h"

namespace pruner {

/// What readers of chains share: the loops of each op in the dimensions of one
/// domain.
class ChainReader {
protected:
  using Dims = llvm::SmallVector<unsigned, 6>;

  explicit ChainReader(TaskReader &reader)
      : reader(reader), task(reader.task) {}

  /// Checks that all maps of `ops` are projected permutations.
  mlir::LogicalResult
  checkMaps(llvm::ArrayRef<mlir::linalg::LinalgOp> ops) const;
  /// Makes the loops of `op` the first dimensions of the domain.
  void startDomain(mlir::linalg::LinalgOp op);
  /// Finds the loops of `op` by the coordinates of tensors that are known.
  /// Loops that remain unknown become new dimensions if `extend` is set, and
  /// are an error otherwise; returns false then.
  bool findLoops(mlir::linalg::LinalgOp op, bool extend = false);
  /// Records the dimensions of the coordinates of the op's result, and with
  /// `inputs` of everything that it reads.
  void recordTensorDims(mlir::linalg::LinalgOp op, bool inputs);
  mlir::LogicalResult addStatement(mlir::linalg::LinalgOp op);

  TaskReader &reader;
  TaskIR &task;
  llvm::SmallVector<int64_t> extents;
  /// The dimension of the domain of each loop, and of each tensor coordinate.
  llvm::DenseMap<mlir::Operation *, Dims> loops;
  llvm::DenseMap<mlir::Value, Dims> coordinates;

private:
  AccessMap inDomain(mlir::linalg::LinalgOp op, mlir::AffineMap map);
};

} // namespace pruner

#endif // PRUNER_LIB_RECOGNITION_CHAINREADER_H
