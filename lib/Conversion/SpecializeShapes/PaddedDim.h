//===- PaddedDim.h - padding of a dimension ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H
#define PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace pruner {

/// A number in calls of each size that a function supports. The last of these
/// sizes is the size of the function, `size` below.
using SizeTable = llvm::SmallVector<int64_t>;

bool isConstant(const SizeTable &table);

/// A dimension of a tensor in a function for one size. Its extent is
/// `extents.back()`; a call of another size has fewer elements.
///
/// The positions of these elements follow from how the dimension results from a
/// dynamic one by collapsing it with others: position i is an element of a call
/// of size n if (i / s) % size < n for each stride s. A dynamic dimension of an
/// argument has the stride 1. If it is collapsed with a dimension of extent 3
/// after it, the stride is 3.
struct PaddedDim {
  SizeTable extents;
  llvm::SmallVector<int64_t, 2> strides;
  /// All positions, including padding, hold the same value: the tensor has no
  /// contents yet, or is filled with a number. There are no strides, whatever
  /// the extents are.
  bool uniform = false;

  bool isPadded() const { return !strides.empty(); }
  int64_t extent() const { return extents.back(); }
  /// All padding is after the elements, so positions are those of the call.
  bool isPrefix(int64_t size) const;

  bool operator==(const PaddedDim &other) const {
    return extents == other.extents && strides == other.strides &&
           uniform == other.uniform;
  }
  bool operator!=(const PaddedDim &other) const { return !(*this == other); }
};

/// A dimension with these extents and all padding after the elements. Fails if
/// the extents are not multiples of the sizes of `calls`.
mlir::FailureOr<PaddedDim> prefixDim(const SizeTable &extents,
                                     llvm::ArrayRef<int64_t> calls);

/// Turns a uniform dimension into one with padding after the elements. Returns
/// others unchanged.
mlir::FailureOr<PaddedDim> resolve(const PaddedDim &dim,
                                   llvm::ArrayRef<int64_t> calls);

/// Collapses `dims`, outer ones first, into one dimension.
mlir::FailureOr<PaddedDim> collapse(llvm::ArrayRef<PaddedDim> dims,
                                    llvm::ArrayRef<int64_t> calls);

/// Expands `dim` into dimensions of these extents, outer ones first. Fails if
/// the padding would not be in exactly one of them each.
mlir::FailureOr<llvm::SmallVector<PaddedDim>>
expand(const PaddedDim &dim, llvm::ArrayRef<SizeTable> extents, int64_t size);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_PADDEDDIM_H
