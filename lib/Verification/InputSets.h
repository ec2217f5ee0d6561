//===- InputSets.h - input sets for verification ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_INPUTSETS_H
#define PRUNER_LIB_VERIFICATION_INPUTSETS_H

#include "ArgumentBoxes.h"
#include "pruner/Support/Random.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// The values of an argument for which the task is defined.
struct ArgumentDomain {
  bool divisor = false; ///< It reaches an integer divisor: not zero.
  /// It reaches a divisor through arithmetic; small numbers may make the
  /// divisor zero.
  bool computedDivisor = false;
  /// It reaches the amount of a shift, through additions of constants at most:
  /// from `least` to `most`.
  bool shift = false;
  int64_t least = 0, most = 63;
  /// It is an integer of a task that reads at computed positions.
  bool address = false;

  bool restricted() const { return divisor || shift || address; }
};
std::vector<ArgumentDomain> argumentDomains(const TaskProgram &task);

/// An integer of 32 bits or more, such as a bias, an accumulator or a scale.
bool isWideInteger(const TensorSpec &spec);

/// One set of inputs. A pattern with more kinds of boxes than a small tensor
/// has room for is drawn several times.
struct InputChoice {
  InputPattern pattern;
  int64_t repetition = 0;

  /// Whether the set is the one before with some integers negated.
  bool isNegated() const {
    return repetition % 2 && (pattern == InputPattern::Scaled ||
                              pattern == InputPattern::Saturated);
  }
  /// The number of the random stream of the set.
  uint64_t stream() const {
    return uint64_t(pattern) + 64 * uint64_t(repetition - isNegated());
  }
};

/// The input sets that verify a task, `Integers` first and `Reals` last. These
/// two are always used; the others as far as memory (512 MiB for all of them)
/// and time (1e9 iterations of loops) permit:
///
/// * `Ascending`, `Descending` and `Dominant` if it reduces to extrema;
/// * `Specials` and `Magnitudes` if it has floats, and `Undefined` for each of
///   its float arguments if it compares floats element by element;
/// * `Masked` if a mask may be combined with results of a product;
/// * `Balanced`, `Shifted` and `EqualRows` if it is not exact on integers, and
///   then also `Scaled` if it has sums;
/// * `Scaled` if it clamps, rounds or compares integers and has no floats:
///   integers of 32 bits and more are then narrow, so that results do not
///   saturate, and every second set is the one before with opposite signs;
///   `Saturated`, in pairs of opposite signs, so that results saturate at both
///   ends;
/// * `Borders` if it clamps, rounds or compares and is so small that a set
///   costs almost nothing; a part of `Reals` is always like that.
///
/// For such small tasks, `Dominant`, `Specials`, `Scaled`, `Magnitudes` and
/// `Borders` are repeated, and `Reals` where the results have only a few
/// elements.
/// `points` is the number of iterations of all loops.
std::vector<InputChoice> chooseInputs(const TaskProgram &task,
                                      const TaskNumerics &numerics,
                                      llvm::ArrayRef<ArgumentBoxes> boxes,
                                      double points);

/// The arguments of `task`, each from its own random stream, before
/// `moveToBorders`.
std::vector<std::vector<uint8_t>>
makeInputs(const TaskProgram &task, const TaskNumerics &numerics,
           llvm::ArrayRef<ArgumentDomain> domains,
           llvm::ArrayRef<ArgumentBoxes> boxes, InputChoice choice,
           const Random &random);

/// Moves a part of the inputs of a set next to borders (BorderInputs.h), as the
/// pattern says. Returns whether it changed any.
bool moveToBorders(const TaskProgram &task,
                   llvm::ArrayRef<ArgumentDomain> domains,
                   llvm::ArrayRef<ArgumentBoxes> boxes, InputChoice choice,
                   const Random &random,
                   std::vector<std::vector<uint8_t>> &inputs);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_INPUTSETS_H
