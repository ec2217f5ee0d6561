//===- TaskGroups.h - which ops become one task ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"

namespace mlir {
class RewriterBase;
}

namespace pruner {

/// How many generics of the input each generic is made of; absent means one.
using FusedCounts = llvm::DenseMap<mlir::Operation *, unsigned>;

/// Step 1: fuses chains of elementwise generics of `block`. Adds to `counts`.
void fuseElementwiseChains(mlir::RewriterBase &rewriter, mlir::Block &block,
                           FusedCounts &counts);

/// What stands between the arguments of a task and one input of its anchor.
struct TaskInput {
  /// May be null.
  mlir::linalg::GenericOp prologue;
  /// Pads the prologue's result, or an argument; may be null. Others may read
  /// the padded tensor, too: padding is free to do again.
  mlir::tensor::PadOp pad;
};

/// The ops that become one call. The last of them is where the call goes.
struct TaskGroup {
  /// A chain over rows, in the order of its ops; then all else is empty.
  llvm::SmallVector<mlir::linalg::LinalgOp> chain;
  /// Null for an elementwise task, which has an epilogue only.
  mlir::linalg::LinalgOp anchor;
  /// In the order of the anchor's inputs that have something in front.
  llvm::SmallVector<TaskInput> inputs;
  /// May be null if there is an anchor.
  mlir::linalg::GenericOp epilogue;

  mlir::linalg::LinalgOp last() const;
  /// The prologues and pads, the anchor, the epilogue.
  llvm::SmallVector<mlir::Operation *> ops() const;
};

/// Steps 2 and 3: the groups of `block`, in the order of their last ops.
/// Reorders the loops of prologues and epilogues into their canonical order.
/// Elementwise groups, reductions and poolings with fewer points than
/// `minElements` are left out.
llvm::SmallVector<TaskGroup> formGroups(mlir::RewriterBase &rewriter,
                                        mlir::Block &block, bool elementwise,
                                        int64_t minElements);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H
