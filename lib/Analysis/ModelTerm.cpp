//===- ModelTerm.cpp - a term of the analytical model ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/ModelTerm.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

const ModelTerm *pruner::findTerm(llvm::ArrayRef<const ModelTerm *> terms,
                                  llvm::StringRef name) {
  auto found = llvm::find_if(
      terms, [&](const ModelTerm *term) { return term->name == name; });
  return found == terms.end() ? nullptr : *found;
}
