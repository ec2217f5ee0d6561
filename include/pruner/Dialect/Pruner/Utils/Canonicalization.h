//===- Canonicalization.h - what is left out of it --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
#define PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H

#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace pruner {

/// Names of upstream's patterns that change what a program on tensors computes,
/// as compilers spell them (LLVM 22):
///
/// * FoldInsertPadIntoFill puts a padded tensor that is inserted into a fill
///   without its padding, further on by as many elements as were padded,
///   whatever the strides of the insertion.
/// * EraseIdentityLinalgOp takes the input of a generic that copies for its
///   result where the maps are equal, also if these leave elements of the
///   result out. `populateEraseCopiesPatterns` has it right.
inline llvm::SmallVector<std::string> wrongCanonicalizations() {
  llvm::SmallVector<std::string> names;
  for (const char *space : {"(anonymous namespace)", "{anonymous}"})
    for (const char *name : {"FoldInsertPadIntoFill",
                             "EraseIdentityLinalgOp<mlir::linalg::GenericOp>"})
      names.push_back(std::string(space) + "::" + name);
  return names;
}

/// Patterns that replace a generic whose body computes nothing by what it
/// yields: an input that it copies as a whole, or an init.
void populateEraseCopiesPatterns(mlir::RewritePatternSet &patterns);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
