//===- RowChains.h - softmax, norms and their like --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class RewriterBase;
}

namespace pruner {

/// Candidates for chains over rows in `block`, each in the order of its ops: a
/// reduction that is no contraction, what is computed once a row from its
/// result, the elementwise ops that use that all along the row, further
/// reductions of those (or of what elementwise ops make of them for reductions
/// alone), and reductions beside it that the same ops use. Only the result of
/// the last op is read by others. No op is in two of them. Chains of fewer than
/// `minElements` points are left out.
llvm::SmallVector<llvm::SmallVector<mlir::linalg::LinalgOp>>
findRowChains(mlir::Block &block, int64_t minElements);

/// Moves what `chain` computes along its rows for one reduction alone into the
/// body of that reduction: the squares of a variance, the wider type that a
/// sum is in. They need no memory then, and no result changes. Replaces ops of
/// `chain`.
void fuseIntoReductions(mlir::RewriterBase &rewriter,
                        llvm::SmallVectorImpl<mlir::linalg::LinalgOp> &chain);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H
