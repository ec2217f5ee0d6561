//===- PaddedDim.h - which places of a dimension are padding -- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H
#define PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace pruner {

/// A number in calls of each size that a function is made for; the last of them
/// is the size that the function is made for, `size` in what follows.
using SizeTable = llvm::SmallVector<int64_t>;

bool isConstant(const SizeTable &table);

/// A dimension of a tensor in a function for one size: of extent
/// `extents.back()`, while a call of another size has fewer elements in it.
///
/// Which places these are follows from how the dimension came out of a dynamic
/// one, by collapsing it with others: place i is an element of a call of size n
/// if (i / s) % size < n for each stride s. A dynamic dimension of an
/// argument has the stride 1; collapsed with a dimension of extent 3 behind it,
/// the stride 3.
struct PaddedDim {
  SizeTable extents;
  llvm::SmallVector<int64_t, 2> strides;
  /// The same in all places, padding included: of no tensor that was computed
  /// yet, or of one filled with a number. It has no strides, whatever the
  /// extents.
  bool uniform = false;

  bool isPadded() const { return !strides.empty(); }
  int64_t extent() const { return extents.back(); }
  /// Padding stands behind all elements, so a place is where it is in the call.
  bool isPrefix(int64_t size) const;

  bool operator==(const PaddedDim &other) const {
    return extents == other.extents && strides == other.strides &&
           uniform == other.uniform;
  }
  bool operator!=(const PaddedDim &other) const { return !(*this == other); }
};

/// A dimension of these extents whose padding stands behind all elements. Fails
/// where the extents are not multiples of the sizes of `calls`.
mlir::FailureOr<PaddedDim> prefixDim(const SizeTable &extents,
                                     llvm::ArrayRef<int64_t> calls);

/// A uniform dimension as one with padding behind the elements; others as they
/// are.
mlir::FailureOr<PaddedDim> resolve(const PaddedDim &dim,
                                   llvm::ArrayRef<int64_t> calls);

/// One dimension of all of `dims`, outer ones first.
mlir::FailureOr<PaddedDim> collapse(llvm::ArrayRef<PaddedDim> dims,
                                    llvm::ArrayRef<int64_t> calls);

/// `dim` as dimensions of these extents, outer ones first. Fails where the
/// padding would not lie in one of them each.
mlir::FailureOr<llvm::SmallVector<PaddedDim>>
expand(const PaddedDim &dim, llvm::ArrayRef<SizeTable> extents, int64_t size);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H
