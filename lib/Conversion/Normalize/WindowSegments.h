//===- WindowSegments.h - where a window meets the input --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace pruner {

/// Positions of the result, side by side, whose windows meet elements of the
/// input, and not its padding, with the same elements of the filter.
struct WindowSegment {
  int64_t first, count;   ///< Positions.
  int64_t firstTap, taps; ///< Elements of the filter.
  int64_t begin, size;    ///< What they read of the input without padding.
};

/// The segments of one coordinate o * stride + k * dilation (both at least 1)
/// of an input of `extent` elements behind `low` of padding, o < `positions`,
/// k < `taps`. Positions that meet nothing but padding are in none.
llvm::SmallVector<WindowSegment>
findWindowSegments(int64_t positions, int64_t taps, int64_t stride,
                   int64_t dilation, int64_t low, int64_t extent);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H
