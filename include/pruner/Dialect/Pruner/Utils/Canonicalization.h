//===- Canonicalization.h - exceptions from canonicalization ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
#define PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace pruner {

/// Names of upstream patterns that miscompile programs on tensors (LLVM 22),
/// spelled as compilers do:
///
/// * FoldInsertPadIntoFill inserts the unpadded tensor into a fill, at an
///   offset increased by the padding. It ignores the strides of the insertion.
/// * EraseIdentityLinalgOp replaces the result of a copying generic by its
///   input if the maps are equal, even if they skip elements of the result.
///   `populateEraseCopiesPatterns` is correct.
inline llvm::SmallVector<std::string> wrongCanonicalizations() {
  llvm::SmallVector<std::string> names;
  for (const char *space : {"(anonymous namespace)", "{anonymous}"})
    for (const char *name : {"FoldInsertPadIntoFill",
                             "EraseIdentityLinalgOp<mlir::linalg::GenericOp>"})
      names.push_back(std::string(space) + "::" + name);
  return names;
}

/// Patterns that erase a generic whose body computes nothing. They replace it
/// by the yielded value: an input that it copies as a whole, or an init.
void populateEraseCopiesPatterns(mlir::RewritePatternSet &patterns);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
