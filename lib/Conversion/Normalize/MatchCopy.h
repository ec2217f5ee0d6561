//===- MatchCopy.h - generics that only move data ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCOPY_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCOPY_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace pruner {

/// copy[i] = source[map(i)], where `map` is a projected permutation and `i`
/// ranges over the elements of the copy in its own order of dimensions.
struct CopyOf {
  mlir::Value source;
  mlir::AffineMap map;
};

/// The copy that `op` (may be null) makes, if it only permutes or broadcasts
/// one tensor.
std::optional<CopyOf> matchCopy(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCOPY_H
