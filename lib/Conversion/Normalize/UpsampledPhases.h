//===- UpsampledPhases.h - which filter elements meet the input -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// Phases side by side that all have the same taps, `taps` of them from
/// `firstTap` on.
struct PhaseRange {
  int64_t firstPhase, phases, firstTap, taps;
};

/// One upsampled coordinate o + u of the input: o is the position of the
/// result, u that in the filter, and input element x stands at first + step x.
/// Position step y + p - early of the result, of block y and phase p, meets the
/// filter elements firstElement(p) + step i, the taps i, and there the input
/// elements y + i + slope p - before.
struct UpsampledPhases {
  /// Of `results` positions o and `filter` filter elements u.
  UpsampledPhases(unsigned out, unsigned window, int64_t step, int64_t first,
                  int64_t results, int64_t filter);

  unsigned out, window; ///< The loops o and u.
  int64_t step, first;
  /// How many positions before the result the first block of phases begins.
  int64_t early = 0;
  int64_t slope = 0, before = 0;
  int64_t blocks;
  /// Taps that all phases have, and how many of the last phases have one more.
  int64_t taps, longer;

  /// The first filter element that meets an element of the input.
  int64_t firstElement(int64_t phase) const;
  /// Phases by the taps they have: all, and those that have one more. No range
  /// has a tap beyond the filter's end: a zero in its stead would not be one
  /// for an infinite input.
  llvm::SmallVector<PhaseRange, 2> ranges() const;
  /// Input elements from -before on that are read.
  int64_t reach() const;

private:
  int64_t offset(int64_t phase) const;
  bool isLinear() const;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H
