//===- Alternatives.h - forms of parts of a program -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_ALTERNATIVES_H
#define PRUNER_DIALECT_PRUNER_UTILS_ALTERNATIVES_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Moves `ops` into the first form of a new `pruner.alternatives` in the place
/// of the last one, and copies of them into the others. Only the results of the
/// last op may have readers other than `ops`; these now read the results of the
/// new op. Returns the ops of each form, in the order of `ops`.
llvm::SmallVector<llvm::SmallVector<mlir::Operation *>>
createForms(mlir::RewriterBase &rewriter, llvm::ArrayRef<mlir::Operation *> ops,
            llvm::ArrayRef<llvm::StringRef> names);

/// Returns the position of the form to keep.
using FormChooser = llvm::function_ref<unsigned(AlternativesOp)>;

/// Replaces every `pruner.alternatives` by the ops of one form: the chosen one,
/// or the one that `choose` returns. Erases the private functions that only
/// other forms called, and updates the weights. Does nothing to a module
/// without alternatives. Returns the number of ops that were replaced.
unsigned chooseAlternatives(
    mlir::ModuleOp module,
    FormChooser choose = [](AlternativesOp op) { return op.getChosenIndex(); });

/// Writes the number of calls of every task into its attribute `pruner.task`.
/// Of the forms of a part, the one with the most calls of the task counts.
void updateTaskWeights(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_ALTERNATIVES_H
