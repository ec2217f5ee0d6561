//===- BufferFlow.h - which values are parts of one buffer ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// Where the buffers of a function go: through views, selects, and what loops,
/// branches and regions pass on. Whatever else may hold a buffer is refused, so
/// that no use of it is missed. (Upstream's BufferViewFlowAnalysis takes an
/// operation that it does not understand for one that passes nothing on.)
class BufferFlow {
public:
  /// Reads `function`. Fails with a diagnostic at the operation that does with
  /// a buffer what is not known.
  static mlir::FailureOr<BufferFlow> read(mlir::func::FuncOp function);

  /// `value`, a memref, and every value that may be the same buffer or a part
  /// of it because `value` is passed on to it, each once. Takes time in the
  /// number of these.
  llvm::SmallVector<mlir::Value> reachedFrom(mlir::Value value) const;

private:
  mlir::LogicalResult visit(mlir::Operation *op);
  void connect(mlir::Value from, mlir::Value to);

  /// To each value those that it is passed on to.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> next;
  /// Values that something is passed on to.
  llvm::DenseSet<mlir::Value> reached;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERFLOW_H
