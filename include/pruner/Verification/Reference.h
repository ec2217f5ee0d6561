//===- Reference.h - what a task should compute -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_VERIFICATION_REFERENCE_H
#define PRUNER_VERIFICATION_REFERENCE_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Verification/Numerics.h"
#include <string>
#include <vector>

namespace pruner {

/// What the inputs of one set are.
enum class InputPattern {
  /// Small integers; compared bit for bit where the analysis (Numerics.h) shows
  /// that no rounding can happen.
  Integers,
  /// Integers whose sums along any dimensions are zero, so that the means of
  /// norms are exact, and variances nearly.
  Balanced,
  /// Integers times a power of two that makes the longest sum about 1: sums
  /// have no error, and what is computed of them has not left the range where
  /// functions bend.
  Scaled,
  /// Integers that are the same along all dimensions but the first: all terms
  /// of a softmax are 1.
  EqualRows,
  /// Numbers that grow, or shrink, from element to element: the maximum and the
  /// minimum along any dimension lie at its ends.
  Ascending,
  Descending,
  /// Reals, some rows of which are infinite or NaN, or have such an element,
  /// zeros of both signs, or tiny numbers.
  Specials,
  /// Reals times powers of two, one for each row or element; some rows
  /// denormal.
  Magnitudes,
  /// Multiples of the unit roundoff in [-1, 1); integers of every width. What
  /// is
  /// rounded or clamped later lies beside a tie or an end in a part of them.
  Reals,
  /// In each row one number far above all others and one far below.
  Dominant,
  /// As the last ones, but wherever it can be done beside a tie or an end.
  Borders,
};

/// The name of a pattern in messages and documents: "equal rows".
llvm::StringRef patternName(InputPattern pattern);

/// What one result should be for one set of inputs.
struct ExpectedOutput {
  /// In double precision, before it is rounded to the type of the result.
  std::vector<double> want;
  /// Largest admissible |got - want| per element, infinity where rounding may
  /// make anything of the element; empty if all are zero.
  std::vector<double> bound;
  /// Results of type i64 without loss, else empty.
  std::vector<int64_t> integers = {};
};

struct ReferenceSet {
  InputPattern pattern = InputPattern::Reals;
  std::vector<std::vector<uint8_t>> inputs; ///< In the types of the task.
  std::vector<ExpectedOutput> outputs;
};

/// Sets of inputs and what the task makes of them: the unscheduled task in
/// double precision, through plain loops, with an error bound for each element
/// by running error analysis of the operations that are executed
/// (BoundedTask.h).
///
/// The first set holds `Integers`, the last one `Reals`; those between follow
/// from the task (docs/reference/WorkerProtocol.md). On the first set, a task
/// that is exact by analysis has no bounds.
struct Reference {
  TaskNumerics numerics; ///< `exact` speaks of the first set.
  std::vector<ReferenceSet> sets;

  /// What its inputs and outputs take.
  size_t bytes() const;
};

/// Computes the reference of `task`, or reads it from `cacheDir` (if not empty)
/// where an earlier call with the same `text` and `seed` left it. Fails where
/// more than one in a hundred elements cannot be checked by any set.
llvm::Expected<Reference> makeReference(const TaskProgram &task,
                                        llvm::StringRef text, int64_t seed,
                                        llvm::StringRef cacheDir);

/// Compares a result with what was expected. Returns nothing if it agrees, else
/// how many elements differ and the first one: index, expected, got.
/// `errorOverBound` becomes the largest error as a fraction of its bound.
std::optional<std::string> compareOutput(const TensorSpec &spec,
                                         const void *got,
                                         const ExpectedOutput &expected,
                                         double &errorOverBound);

} // namespace pruner

#endif // PRUNER_VERIFICATION_REFERENCE_H
