//===- Canonicalization.h - what is left out of it --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
#define PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H

#include "llvm/ADT/SmallVector.h"
#include <string>

namespace pruner {

/// Names of upstream's patterns that change what a program on tensors computes,
/// as compilers spell them (LLVM 22):
///
/// * FoldInsertPadIntoFill puts a padded tensor that is inserted into a fill
///   without its padding, further on by as many elements as were padded,
///   whatever the strides of the insertion.
inline llvm::SmallVector<std::string> wrongCanonicalizations() {
  llvm::SmallVector<std::string> names;
  for (const char *space : {"(anonymous namespace)", "{anonymous}"})
    names.push_back(std::string(space) + "::FoldInsertPadIntoFill");
  return names;
}

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_CANONICALIZATION_H
