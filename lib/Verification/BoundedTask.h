//===- BoundedTask.h - a task with error bounds -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_BOUNDEDTASK_H
#define PRUNER_LIB_VERIFICATION_BOUNDEDTASK_H

#include "pruner/Builder/TaskProgram.h"

namespace pruner {

/// A task in double precision that computes, next to each element of its
/// results, the largest error that a correct program may have there.
struct BoundedTask {
  /// A module with one public function. Its arguments are those of the task,
  /// with f64 for every float type. Its results are those of the task in the
  /// same way, followed by an f64 tensor of error bounds for each result in
  /// `hasErrors`, and an i8 tensor of `SpecialValue`s that are correct as well
  /// for each in `hasOthers`. A bound of infinity means that any value is
  /// correct.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<bool> hasErrors, hasOthers;
};

/// Builds this form of `task` by running error analysis (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., section 3.3) of the operations
/// that the task executes, in its own types, with two exceptions:
///
/// * Sums may be added in any order, and their products may be fused with
///   additions. Let a sum have n terms t with errors e, in a type with unit
///   roundoff u. With g = n u / (1 - n u) its error is at most
///
///       sum(e) (1 + g) + g sum(|t| + e)       (section 4.2)
///
///   The sum is exact if all terms are exact multiples of one power of two and
///   sum(|t|) is exact in units of it, because all partial sums are then exact.
///   In contractions, n and the power follow from each of the factors.
///   A partial sum that leaves the range of the type is infinite, and NaN next
///   to the opposite infinity. Each of these is correct where an order gives
///   it: the sum of the terms of one sign must be able to leave the range.
/// * Functions may be wrong by `functionUlps`.
///
/// In f64 the reference rounds as well, and the bounds hold for both.
///
/// The task may contain linalg ops, tensor ops that move elements, and
/// constants. Any other op is an error that names it.
llvm::Expected<BoundedTask> boundTask(const TaskProgram &task);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BOUNDEDTASK_H
