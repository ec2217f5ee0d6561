//===- UpsampledPhases.cpp - filter elements that meet the input ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UpsampledPhases.h"

#include "llvm/Support/MathExtras.h"

using namespace pruner;

UpsampledPhases::UpsampledPhases(unsigned out, unsigned window, int64_t step,
                                 int64_t first, int64_t results, int64_t filter)
    : out(out), window(window), step(step), first(first), taps(filter / step),
      longer(filter % step) {
  // If the first element of phase p is step - 1 - p, all offsets are equal, and
  // the last phases have one more tap.
  if (longer > 0 || !isLinear())
    early = step - 1 - first % step;
  slope = offset(1) - offset(0);
  before = -offset(0);
  blocks = llvm::divideCeil(results + early, step);
}

int64_t UpsampledPhases::firstElement(int64_t phase) const {
  return ((first + early - phase) % step + step) % step;
}

int64_t UpsampledPhases::offset(int64_t phase) const {
  return (phase + firstElement(phase) - first - early) / step;
}

bool UpsampledPhases::isLinear() const {
  for (int64_t p = 2; p < step; ++p)
    if (offset(p) - offset(p - 1) != offset(1) - offset(0))
      return false;
  return true;
}

llvm::SmallVector<PhaseRange, 2> UpsampledPhases::ranges() const {
  llvm::SmallVector<PhaseRange, 2> result;
  if (taps > 0)
    result.push_back({0, step, 0, taps});
  if (longer > 0)
    result.push_back({step - longer, longer, taps, 1});
  return result;
}

int64_t UpsampledPhases::reach() const {
  return blocks + taps + (longer > 0) - 1 + slope * (step - 1);
}
