//===- Numerics.h - how exactly a task can be checked -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_VERIFICATION_NUMERICS_H
#define PRUNER_VERIFICATION_NUMERICS_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Verification/ElementData.h"
#include <algorithm>
#include <string>

namespace pruner {

/// What a static look at a task says about its arithmetic.
struct TaskNumerics {
  /// With inputs from `range` every value, partial sums in any order included,
  /// is a multiple of a power of two that fits the significand of its type: the
  /// result does not depend on rounding, so it is compared bit for bit.
  bool exact = false;
  /// `exact` holds only if the magnitude of the results turns out to be at most
  /// 2^precision in the finest units of their terms; see `sparsity`.
  bool exactIfMagnitudeFits = false;
  /// The first operation or sum that stands against it.
  std::string inexactBecause;
  InputRange range;

  /// Every operation is a sum, product, maximum, selection or conversion, so
  /// that small or sparse inputs may make the task exact.
  bool linear = true;
  /// Terms of the longest sum (1 without a reduction): the product over nested
  /// reductions.
  double terms = 1;
  /// Terms of the longest sum by itself.
  double longestSum = 1;
  /// Terms of some sum are products.
  bool addsProducts = false;
  /// Unit roundoff of the type that the widest reduction adds in; of the
  /// narrowest type in which anything else is rounded.
  double accumulatorRoundoff = 0, otherRoundoff = 0;
  double largestRoundoff() const {
    return std::max(accumulatorRoundoff, otherRoundoff);
  }
};

/// Walks `task`, which must be linalg and tensor ops on static shapes; others
/// make it inexact, never wrong.
///
/// Interval analysis on (largest magnitude, finest power of two). A sum of K
/// terms of magnitude at most t is at most K t in any order, so it is exact in
/// a type of p bits if K t <= 2^p in units of the finest power. The largest
/// input magnitude of 8, 4, 2, 1 that stays exact is taken, then sparser
/// inputs, whose sums are checked against the magnitude of the actual result.
TaskNumerics analyzeNumerics(const TaskProgram &task);

} // namespace pruner

#endif // PRUNER_VERIFICATION_NUMERICS_H
