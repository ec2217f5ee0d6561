//===- TaskFromIR.h - reading a task function -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_TASKFROMIR_H
#define PRUNER_ANALYSIS_TASKFROMIR_H

#include "pruner/Program/Task.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// A task and the linalg ops it was read from, one per statement.
struct TaskIR {
  TaskDesc desc;
  llvm::SmallVector<mlir::linalg::LinalgOp, 4> ops;
  /// Per statement the linalg operand of each input. Operands whose elements
  /// the body does not use (the windows of pooling) are not inputs.
  llvm::SmallVector<llvm::SmallVector<unsigned, 4>, 4> operands;
  /// The constant that the anchor's accumulator starts from; null for an
  /// all-parallel anchor and where `desc.initTensor` is read instead.
  mlir::TypedAttr initValue;
  /// Chains over rows: per statement the constant that its accumulator starts
  /// from; null for those that do not reduce.
  llvm::SmallVector<mlir::TypedAttr, 4> initValues;
  /// Per anchor input what a padded one holds outside of its tensor; null for
  /// the others.
  llvm::SmallVector<mlir::TypedAttr, 4> padValues;
};

/// Reads a task function in the form that `pruner-extract-tasks` leaves:
/// static tensors in, one tensor out; an anchor linalg op, in front of each of
/// its inputs at most one all-parallel op and then one `tensor.pad` with a
/// constant, and at most one all-parallel op behind its output. Or a chain over
/// rows: reductions of rows and all-parallel ops that use their results.
/// Otherwise emits an error at the op that does not fit.
mlir::FailureOr<TaskIR> readTask(mlir::func::FuncOp func);

/// Why `op`, whose shapes are static, is too large for a task: its points or
/// the bytes of one operand exceed the limits of Support/Sizes.h. Nothing if it
/// is not.
std::optional<std::string> whyTooLarge(mlir::linalg::LinalgOp op);

/// Counts the scalar operations of a body, by class.
OpCounts countOps(mlir::Block &body);
void countOp(mlir::Operation &op, OpCounts &counts);

/// An affine map as linear forms; nothing if a result is not linear.
std::optional<AccessMap> toAccessMap(mlir::AffineMap map);

/// And back.
mlir::AffineMap toAffineMap(const AccessMap &map, unsigned numDims,
                            mlir::MLIRContext *context);

std::optional<ElementType> toElementType(mlir::Type type);

} // namespace pruner

#endif // PRUNER_ANALYSIS_TASKFROMIR_H
