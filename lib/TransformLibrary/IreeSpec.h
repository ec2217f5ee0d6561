//===- IreeSpec.h - IREE's tuning specifications as text --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuning specification is a module of the transform dialect with matchers and
// attributes of IREE. Its ops are no ops of this MLIR, and upstream's matchers
// are spelled otherwise in IREE's, so it is written as text.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H
#define PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pruner {

/// The conditions under which `%op` is like `op`, as operations of a matcher: a
/// contraction or a convolution with the same types, index maps and extents. An
/// error for other ops, for which IREE has no matcher that reads the types.
llvm::Expected<std::string> ireeConditions(mlir::linalg::LinalgOp op);

/// What IREE is to do with ops of one kind.
struct IreeEntry {
  std::string name;       ///< Of the matcher, without '@'.
  std::string conditions; ///< From `ireeConditions`.
  std::string config;     ///< `#iree_codegen.compilation_info<...>`.
};

/// The whole module. The first entry that matches an op has it.
std::string ireeSpec(const std::vector<IreeEntry> &entries);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_IREESPEC_H
