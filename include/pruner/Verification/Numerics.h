//===- Numerics.h - static analysis of a task's arithmetic ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_VERIFICATION_NUMERICS_H
#define PRUNER_VERIFICATION_NUMERICS_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Verification/ElementData.h"
#include <algorithm>
#include <string>

namespace pruner {

/// The result of a static analysis of a task's arithmetic.
struct TaskNumerics {
  /// With inputs from `range` every value, including partial sums in any order,
  /// is a multiple of a power of two that fits the significand of its type.
  /// Results then do not depend on rounding and are compared bit for bit.
  bool exact = false;
  /// `exact` holds only if the magnitude of the results is at most 2^precision
  /// in the finest units of their terms; see `sparsity`.
  bool exactIfMagnitudeFits = false;
  /// The first operation or sum that prevents exactness.
  std::string inexactBecause;
  InputRange range;

  /// Every operation is a sum, product, maximum, selection or conversion, so
  /// small or sparse inputs may make the task exact.
  bool linear = true;
  /// Number of terms of the longest sum (1 without a reduction), as the product
  /// over nested reductions.
  double terms = 1;
  /// Number of terms of the longest single sum.
  double longestSum = 1;
  /// The terms of some sum are products.
  bool addsProducts = false;
  /// Unit roundoff of the type in which the widest reduction accumulates, and
  /// of the narrowest type in which anything else is rounded.
  double accumulatorRoundoff = 0, otherRoundoff = 0;
  double largestRoundoff() const {
    return std::max(accumulatorRoundoff, otherRoundoff);
  }
};

/// Analyzes `task`, which should consist of linalg and tensor ops on static
/// shapes; other ops make it inexact, never wrong.
///
/// This is interval analysis on (largest magnitude, finest power of two). A sum
/// of K terms of magnitude at most t is at most K t in any order, so it is
/// exact in a type of p bits if K t <= 2^p in units of the finest power. The
/// analysis uses the largest input magnitude of 8, 4, 2, 1 for which the task
/// is exact. If there is none, it uses sparser inputs, whose sums are checked
/// against the magnitude of the actual result.
TaskNumerics analyzeNumerics(const TaskProgram &task);

} // namespace pruner

#endif // PRUNER_VERIFICATION_NUMERICS_H
