//===- PrimitiveWords.h - names of parameters of primitives -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SKETCH_PRIMITIVEWORDS_H
#define PRUNER_LIB_SKETCH_PRIMITIVEWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>

namespace pruner::primitives {

/// The role of a statement in the task; a token.
enum class Role : int64_t { Anchor = 1, Prologue, Epilogue, Chain };
inline llvm::ArrayRef<llvm::StringLiteral> roleNames() {
  static constexpr llvm::StringLiteral names[] = {"anchor", "prologue",
                                                  "epilogue", "chain"};
  return names;
}

/// The DimKind of a dimension, from 1; a token.
inline llvm::ArrayRef<llvm::StringLiteral> kindNames() {
  static constexpr llvm::StringLiteral names[] = {"parallel", "reduction",
                                                  "terms", "columns"};
  return names;
}

/// Number of parameters of a tile before its factors.
constexpr size_t kTileFixed = 5;

} // namespace pruner::primitives

#endif // PRUNER_LIB_SKETCH_PRIMITIVEWORDS_H
