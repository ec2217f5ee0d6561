//===- TaskGroups.h - group the ops of each task ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir {
class RewriterBase;
}

namespace pruner {

/// The number of generics of the input that were fused into each generic, if
/// any.
using FusedCounts = llvm::DenseMap<mlir::Operation *, unsigned>;

/// Step 1: fuses chains of elementwise generics of `block`. Adds to `counts`.
void fuseElementwiseChains(mlir::RewriterBase &rewriter, mlir::Block &block,
                           FusedCounts &counts);

/// The ops of one group: prologues and pads in the order of the anchor's
/// inputs, the anchor, the epilogue.
using GroupOps = llvm::SmallSetVector<mlir::Operation *, 4>;

/// Steps 2 and 3: the groups of `block`, in the order of their last ops.
/// Reorders the loops of prologues and epilogues into canonical order. Omits
/// elementwise groups, reductions and poolings with fewer points than
/// `minElements`, and the ops in `chained`.
llvm::SmallVector<GroupOps>
formGroups(mlir::RewriterBase &rewriter, mlir::Block &block,
           const llvm::SmallPtrSetImpl<mlir::Operation *> &chained,
           bool elementwise, int64_t minElements);

/// Groups that can be one task, and the ops of all.
struct JoinedGroups {
  std::vector<GroupOps> parts;
  GroupOps ops;
};

/// Joins groups that end with a product, the chain over rows (if there is one)
/// that alone reads its result, and the group of the product that alone reads
/// the result of the chain, where `joins` accepts all three. Removes them from
/// `chains` and `groups`. The op that computes the other factor of the second
/// product becomes a group of its own.
std::vector<JoinedGroups>
findJoinedProducts(llvm::SmallVectorImpl<GroupOps> &chains,
                   llvm::SmallVectorImpl<GroupOps> &groups,
                   llvm::function_ref<bool(const JoinedGroups &)> joins);

/// Whether `op` computes a constant element by element, whose type is narrower
/// than that of an input, or as wide (a scaled weight). That stays outside of
/// the tasks, so that it is computed before the network runs.
bool isComputedAhead(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_TASKGROUPS_H
