//===- Sizes.h - products of extents that do not overflow -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes come from the input, and the product of three ordinary extents can
// exceed 64 bits. These functions saturate at `kHugeSize` instead of
// overflowing. Callers compare the result with a limit before they use it.

#ifndef PRUNER_SUPPORT_SIZES_H
#define PRUNER_SUPPORT_SIZES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <limits>

namespace pruner {

/// A size of at least this value, not known exactly.
inline constexpr int64_t kHugeSize = std::numeric_limits<int64_t>::max();

/// The most iterations of an operation that can be a task: 2^48, about ten
/// minutes at 500 billion per second. Sums and products of a few such numbers,
/// for example of FLOP, bytes and padded extents, fit into 64 bits.
inline constexpr int64_t kMaxPoints = int64_t(1) << 48;

/// The most bytes of one tensor of a task or network: 1 TiB.
inline constexpr int64_t kMaxTensorBytes = int64_t(1) << 40;

/// The product. Neither `a` nor `b` may be negative.
inline int64_t mulSizes(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? kHugeSize : product;
}

/// The quotient of `a` >= 0 and `b` > 0, rounded up.
inline int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

inline int64_t addSizes(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? kHugeSize : sum;
}

/// The number of points of a box; 0 if any extent is 0.
inline int64_t boxSize(llvm::ArrayRef<int64_t> extents) {
  int64_t points = 1;
  for (int64_t extent : extents) {
    if (extent == 0)
      return 0;
    points = mulSizes(points, extent);
  }
  return points;
}

} // namespace pruner

#endif // PRUNER_SUPPORT_SIZES_H
