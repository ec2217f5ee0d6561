//===- BufferFlow.h - values that share a buffer ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// Follows the buffers of a function through views, selects, loops, branches
/// and regions. Rejects any other operation that may hold a buffer, so that no
/// use is missed. (Upstream's BufferViewFlowAnalysis assumes that an unknown
/// operation does not pass on its buffers.)
class BufferFlow {
public:
  /// Analyzes `function`. Fails with a diagnostic at an operation with an
  /// unknown effect on a buffer.
  static mlir::FailureOr<BufferFlow> read(mlir::func::FuncOp function);

  /// `value`, a memref, and every value that may be the same buffer or a part
  /// of it because `value` is passed on to it, each once. Runs in time linear
  /// in the number of these values.
  llvm::SmallVector<mlir::Value> reachedFrom(mlir::Value value) const;

private:
  mlir::LogicalResult visit(mlir::Operation *op);
  void connect(mlir::Value from, mlir::Value to);

  /// For each value, the values that it is passed on to.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> next;
  /// Values that receive another value.
  llvm::DenseSet<mlir::Value> reached;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H
