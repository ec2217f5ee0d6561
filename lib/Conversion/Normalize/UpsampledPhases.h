//===- UpsampledPhases.h - filter elements that meet the input --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H

#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// Consecutive phases with the same taps: `taps` of them from `firstTap` on.
struct PhaseRange {
  int64_t firstPhase, phases, firstTap, taps;
};

/// One upsampled coordinate o + u of the input. o is the position of the
/// result, u the position in the filter, and input element x is at first + step
/// x. Position step y + p - early of the result, in block y and phase p, meets
/// the filter elements firstElement(p) + step i, the taps i. Tap i reads input
/// element y + i + slope p - before.
struct UpsampledPhases {
  /// For `results` positions o and `filter` filter elements u.
  UpsampledPhases(unsigned out, unsigned window, int64_t step, int64_t first,
                  int64_t results, int64_t filter);

  unsigned out, window; ///< The loops o and u.
  int64_t step, first;
  /// The number of positions between the start of the first block and the
  /// result.
  int64_t early = 0;
  int64_t slope = 0, before = 0;
  int64_t blocks;
  /// The taps that all phases have, and the number of last phases with one
  /// more.
  int64_t taps, longer;

  /// The first filter element that meets an element of the input.
  int64_t firstElement(int64_t phase) const;
  /// Phases by their taps: all phases, and those with one more tap. No range
  /// has a tap beyond the end of the filter, because a zero in its place would
  /// give NaN for an infinite input.
  llvm::SmallVector<PhaseRange, 2> ranges() const;
  /// The number of input elements that are read, from -before on.
  int64_t reach() const;

private:
  int64_t offset(int64_t phase) const;
  bool isLinear() const;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_UPSAMPLEDPHASES_H
