//===- WindowSegments.cpp - segments of a window without padding ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowSegments.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;

llvm::SmallVector<WindowSegment>
pruner::findWindowSegments(int64_t positions, int64_t taps, int64_t stride,
                           int64_t dilation, int64_t low, int64_t extent) {
  llvm::SmallVector<WindowSegment> segments;
  for (int64_t o = 0; o < positions; ++o) {
    // low <= o * stride + k * dilation < low + extent.
    int64_t before = low - o * stride;
    int64_t firstTap =
        before > 0 ? llvm::divideCeilSigned(before, dilation) : 0;
    int64_t end = before + extent > 0
                      ? llvm::divideCeilSigned(before + extent, dilation)
                      : 0;
    end = std::min(end, taps);
    if (firstTap >= end)
      continue;
    WindowSegment *last = segments.empty() ? nullptr : &segments.back();
    if (last && last->first + last->count == o && last->firstTap == firstTap &&
        last->taps == end - firstTap) {
      ++last->count;
      last->size += stride;
      continue;
    }
    segments.push_back({o, 1, firstTap, end - firstTap,
                        firstTap * dilation - before,
                        (end - firstTap - 1) * dilation + 1});
  }
  return segments;
}
