//===- Sizes.h - products of extents that do not overflow -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes come from the input, and three ordinary looking extents have a product
// that no 64-bit number holds. Whatever is derived from a shape is computed by
// these functions, which end at `kHugeSize` instead of overflowing, and is
// compared with a limit before anything else is done with it.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_SIZES_H
#define PRUNER_SUPPORT_SIZES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <limits>

namespace pruner {

/// A size that is not known, because it is this or more.
inline constexpr int64_t kHugeSize = std::numeric_limits<int64_t>::max();

/// The most iterations of one operation that can be a task: 2^48, ten minutes
/// at 500 billion a second. Sums and products of a few such numbers, as of
/// flops, bytes and padded extents, fit 64 bits.
inline constexpr int64_t kMaxPoints = int64_t(1) << 48;

/// The most bytes of one tensor of a task or network: 1 TiB.
inline constexpr int64_t kMaxTensorBytes = int64_t(1) << 40;

/// Neither `a` nor `b` is negative.
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

/// The number of points of a box: 0 if one of the extents is, whatever the
/// others are.
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
