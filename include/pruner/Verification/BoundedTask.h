//===- BoundedTask.h - a task with bounds of its errors ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_VERIFICATION_BOUNDEDTASK_H
#define PRUNER_VERIFICATION_BOUNDEDTASK_H

#include "pruner/Builder/TaskProgram.h"

namespace pruner {

/// A task in double precision that computes, beside each element of its
/// results, how far from it a right program may be.
struct BoundedTask {
  /// One public function. Its arguments are those of the task with every float
  /// an f64; its results those of the task likewise, then an f64 tensor of
  /// errors for each result that `hasErrors`. Infinity there: any value is
  /// right (the sum may or may not have overflown).
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<bool> hasErrors;
};

/// Makes that form of `task` by running error analysis (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd ed., section 3.3) of the operations
/// that the task executes, in the types in which it does, except that
///
/// * sums may be added in any order and any products of them be fused with
///   additions: a sum of n terms t, off by e, of a type with unit roundoff u is
///   off by
///
///       sum(e) (1 + n u) + n u / (1 - n u) sum(|t| + e)       (section 4.2)
///
///   and by nothing if all terms are exact multiples of one power of two and
///   sum(|t|) is exact in such units, since all partial sums are then exact; in
///   contractions n and the power follow from the factors, each for itself;
/// * functions may be wrong by `functionUlps`.
///
/// In f64 the reference rounds, too, and the bounds hold for both.
///
/// The task may hold what tasks consist of: linalg ops, tensor ops that move
/// elements, constants. Fails with the name of any other.
llvm::Expected<BoundedTask> boundTask(const TaskProgram &task);

} // namespace pruner

#endif // PRUNER_VERIFICATION_BOUNDEDTASK_H
