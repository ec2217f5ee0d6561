//===- WindowSegments.h - segments of a window without padding --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace pruner {

/// Consecutive positions of the result whose windows meet the input, without
/// its padding, with the same elements of the filter.
struct WindowSegment {
  int64_t first, count;   ///< Positions.
  int64_t firstTap, taps; ///< Elements of the filter.
  int64_t begin, size; ///< The elements of the unpadded input that they read.
};

/// The segments of one coordinate o * stride + k * dilation (both at least 1),
/// with o < `positions` and k < `taps`. The input has `extent` elements after
/// `low` elements of padding. Positions that only meet padding are in no
/// segment.
llvm::SmallVector<WindowSegment>
findWindowSegments(int64_t positions, int64_t taps, int64_t stride,
                   int64_t dilation, int64_t low, int64_t extent);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_WINDOWSEGMENTS_H
