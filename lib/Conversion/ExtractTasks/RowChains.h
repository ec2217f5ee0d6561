//===- RowChains.h - softmax, norms and similar chains ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
class RewriterBase;
}

namespace pruner {

/// Candidates for chains over rows in `block`, each in the order of its ops. A
/// chain contains a reduction that is not a contraction, ops once per row on
/// its result, and the elementwise ops that use these along the row. It also
/// contains reductions of their results (or of elementwise ops that only
/// reductions read), and further reductions whose results the same ops use.
/// Only the last op has readers outside of the chain. No op is in two chains.
/// Chains of fewer than `minElements` points are omitted.
llvm::SmallVector<llvm::SmallVector<mlir::linalg::LinalgOp>>
findRowChains(mlir::Block &block, int64_t minElements);

/// Moves the ops of `chain` along its rows that only one reduction reads into
/// the body of that reduction: the squares of a variance, or the conversion to
/// the type of a sum. These then need no memory, and no result changes.
/// Replaces ops of `chain`.
void fuseIntoReductions(mlir::RewriterBase &rewriter,
                        llvm::SmallVectorImpl<mlir::linalg::LinalgOp> &chain);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_ROWCHAINS_H
