//===- IreeSpec.h - IREE's tuning specifications as text --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tuning specification is a module of the transform dialect with matchers and
// attributes of IREE. This MLIR does not have IREE's ops, and IREE spells
// upstream's matchers differently, so the specification is emitted as text.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H
#define PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pruner {

/// The conditions under which `%op` equals `op`, as operations of a matcher: a
/// contraction or a convolution with the same types, index maps and extents. An
/// error for other ops, because IREE has no matcher for them that compares
/// types.
llvm::Expected<std::string> ireeConditions(mlir::linalg::LinalgOp op);

/// The configuration for ops of one kind.
struct IreeEntry {
  std::string name;       ///< Name of the matcher, without '@'.
  std::string conditions; ///< From `ireeConditions`.
  std::string config;     ///< `#iree_codegen.compilation_info<...>`.
};

/// The text of the whole module. An op gets the first entry that matches it.
std::string ireeSpec(const std::vector<IreeEntry> &entries);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H
