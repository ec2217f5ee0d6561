//===- InputSets.h - what candidates are checked with -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_INPUTSETS_H
#define PRUNER_LIB_VERIFICATION_INPUTSETS_H

#include "ArgumentBoxes.h"
#include "pruner/Support/Random.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// What each argument of a task may hold so that the task is defined.
struct ArgumentDomain {
  bool divisor = false; ///< It reaches an integer divisor: not zero.
  /// It reaches a divisor by way of arithmetic: small numbers may make it zero.
  bool computedDivisor = false;
  /// It reaches the amount of a shift, by way of additions of constants at
  /// most: from `least` to `most`.
  bool shift = false;
  int64_t least = 0, most = 63;
  /// It is an integer of a task that reads at computed places.
  bool address = false;

  bool restricted() const { return divisor || shift || address; }
};
std::vector<ArgumentDomain> argumentDomains(const TaskProgram &task);

/// One set of inputs. What has more kinds than a small tensor has room for is
/// drawn several times.
struct InputChoice {
  InputPattern pattern;
  int64_t repetition = 0;
};

/// The sets that tell right from wrong for a task, `Integers` first and `Reals`
/// last. Those two always; the others as long as neither memory (512 MiB for
/// all of them) nor time (1e9 points of loops) forbids it:
///
/// * `Ascending`, `Descending` and `Dominant` where it reduces to extrema;
/// * `Specials` and `Magnitudes` where it has floats;
/// * `Balanced` and `EqualRows` where it is not exact on integers anyway, and
///   there `Scaled`, too, if it has sums;
/// * `Borders` where it clamps, rounds or compares and is so small that a set
///   costs nothing; a part of `Reals` is like that in any case.
///
/// `Dominant`, `Specials` and `Borders` are repeated for tasks as small.
/// `points` is the number of iterations of all loops.
std::vector<InputChoice> chooseInputs(const TaskProgram &task,
                                      const TaskNumerics &numerics,
                                      llvm::ArrayRef<ArgumentBoxes> boxes,
                                      double points);

/// The arguments of `task`, each from a stream of its own.
std::vector<std::vector<uint8_t>>
makeInputs(const TaskProgram &task, const TaskNumerics &numerics,
           llvm::ArrayRef<ArgumentDomain> domains,
           llvm::ArrayRef<ArgumentBoxes> boxes, InputChoice choice,
           const Random &random);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_INPUTSETS_H
