//===- Reference.h - expected results of a task -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_VERIFICATION_REFERENCE_H
#define PRUNER_VERIFICATION_REFERENCE_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Verification/Numerics.h"
#include <string>
#include <vector>

namespace pruner {

/// The pattern of the inputs of one set.
enum class InputPattern {
  /// Small integers. Compared bit for bit if the analysis (Numerics.h) shows
  /// that no rounding can happen.
  Integers,
  /// Integers whose sums along any dimensions are zero, so that means in norms
  /// are exact, and variances are almost exact.
  Balanced,
  /// Integers times a power of two that makes the longest sum about 1. Sums
  /// then have no error, and functions of them are not saturated. In tasks
  /// without floats: integers of every width, those of 32 bits and more of up
  /// to half their bits.
  Scaled,
  /// Integers that are equal along all dimensions except the first; all terms
  /// of a softmax are then 1. A second set has large ones, the first negative.
  EqualRows,
  /// Numbers that increase, or decrease, from element to element. The maximum
  /// and the minimum along any dimension are then at its ends.
  Ascending,
  Descending,
  /// Reals with special rows or elements: infinite, NaN, zeros of both signs,
  /// or tiny numbers.
  Specials,
  /// Reals times powers of two, one for each row or element; some rows are
  /// denormal.
  Magnitudes,
  /// Multiples of the unit roundoff in [-1, 1), and integers of every width. In
  /// a part of them, values that are rounded or clamped later are next to a tie
  /// or an end. Masks hide the last elements of a part of the rows. Integers
  /// from which a mask is computed are positions, as in causal attention.
  Reals,
  /// In each row one number far above all others, and one far below.
  Dominant,
  /// As Reals, but next to a tie or an end wherever possible.
  Borders,
  /// As Balanced, plus one number, so that means are that number.
  Shifted,
  /// Integers; those of 32 bits and more are so large that results saturate. In
  /// tasks without such integers, all are large and positive. Every second set
  /// is the one before with one argument negated.
  Saturated,
  /// Reals, and one float argument that is NaN everywhere.
  Undefined,
  /// Reals, and masks that are minus infinity (or false) from some element of
  /// each row on. In each set after the first, another argument has a few
  /// elements that are not finite, or large.
  Masked,
};

/// The name of a pattern in messages and documents, such as "equal rows".
llvm::StringRef patternName(InputPattern pattern);

/// Values other than numbers. A set of them is the sum of their bits.
enum SpecialValue : uint8_t {
  NotANumber = 1,
  PlusInfinity = 2,
  MinusInfinity = 4
};

/// One expected result for one set of inputs.
struct ExpectedOutput {
  /// In double precision, before it is rounded to the type of the result.
  std::vector<double> want;
  /// Largest admissible |got - want| per element. Infinity if rounding may lead
  /// to any value; empty if all are zero.
  std::vector<double> bound;
  /// The set of `SpecialValue`s that are correct as well, per element: some
  /// legal order of a sum overflows to them. Empty if there are none.
  std::vector<uint8_t> others = {};
  /// Results of type i64 without loss; empty for other types.
  std::vector<int64_t> integers = {};
};

/// Whether a set of `SpecialValue`s has `value`.
bool contains(uint8_t others, double value);

struct ReferenceSet {
  InputPattern pattern = InputPattern::Reals;
  std::vector<std::vector<uint8_t>> inputs; ///< In the types of the task.
  std::vector<ExpectedOutput> outputs;
};

/// Sets of inputs, and the results of the task for them. The unscheduled task
/// is evaluated in double precision by plain loops, with an error bound for
/// each element by running error analysis of the executed operations
/// (BoundedTask.h).
///
/// The first set is `Integers`, the last one `Reals`; those in between depend
/// on the task (docs/reference/WorkerProtocol.md). For a task that is exact by
/// analysis, the first set has no bounds.
struct Reference {
  TaskNumerics numerics; ///< `exact` applies to the first set.
  std::vector<ReferenceSet> sets;
  /// The inputs of the last set before rows were masked and a part of the
  /// numbers was moved next to borders. Empty if nothing was changed.
  std::vector<std::vector<uint8_t>> plainReals = {};

  /// The inputs for timing. Real programs do not have numbers next to borders
  /// as inputs. Exponentials of these may be subnormal, and a CPU takes a
  /// hundred cycles or more for an operation on subnormal numbers.
  const std::vector<std::vector<uint8_t>> &timedInputs() const {
    return plainReals.empty() ? sets.back().inputs : plainReals;
  }

  /// Bytes of its inputs and outputs.
  size_t bytes() const;
};

/// Memory for values between the ops of a task and their bounds. The scores of
/// attention with 12 heads and 4,096 keys would take gigabytes.
inline constexpr int64_t mostBytesBetween = int64_t(256) << 20;

/// Computes the reference of `task`, or reads it from `cacheDir` (if not empty)
/// if an earlier call with the same `text` and `seed` stored it there. Results
/// are computed in parts if values between the ops take more than `mostBytes`
/// and the task permits it. Fails if more than one element in a hundred cannot
/// be checked by any set.
llvm::Expected<Reference> makeReference(const TaskProgram &task,
                                        llvm::StringRef text, int64_t seed,
                                        llvm::StringRef cacheDir,
                                        int64_t mostBytes = mostBytesBetween);

/// Compares a result with the expected one. Returns std::nullopt if they agree;
/// otherwise the number of different elements and the first one: index,
/// expected, got. `errorOverBound` becomes the largest error as a fraction of
/// its bound.
std::optional<std::string> compareOutput(const TensorSpec &spec,
                                         const void *got,
                                         const ExpectedOutput &expected,
                                         double &errorOverBound);

} // namespace pruner

#endif // PRUNER_VERIFICATION_REFERENCE_H
