//===- OperationKernel.h - an operation as a kernel -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_OPERATIONKERNEL_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_OPERATIONKERNEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// The body of a kernel that computes a linalg operation on buffers without a
/// schedule: one thread computes one element of each result, with loops over
/// the reductions. Consecutive threads compute consecutive elements.
class OperationKernel {
public:
  /// The operation has static shapes and is in a function of its own, which
  /// otherwise contains constants (`pruner-outline-operations`).
  explicit OperationKernel(mlir::linalg::LinalgOp op);

  /// The threads that work; 0 if the operation has an empty loop.
  int64_t threads() const { return numThreads; }
  /// The threads of a block, a multiple of the size of a warp.
  int32_t block() const;

  /// Writes the body. `arguments` of the kernel begin with those of the
  /// function.
  void write(mlir::OpBuilder &builder, mlir::ValueRange arguments);

private:
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<int64_t> extents;
  /// The loops over threads, from the outermost one, and those inside a thread.
  llvm::SmallVector<unsigned> threadLoops, ownLoops;
  int64_t numThreads = 1;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_OPERATIONKERNEL_H
