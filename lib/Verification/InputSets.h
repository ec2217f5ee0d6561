//===- InputSets.h - what candidates are checked with -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_INPUTSETS_H
#define PRUNER_LIB_VERIFICATION_INPUTSETS_H

#include "pruner/Support/Random.h"
#include "pruner/Verification/Reference.h"

namespace pruner {

/// What each argument of a task may hold so that the task is defined.
struct ArgumentDomain {
  bool divisor = false; ///< It reaches an integer divisor: not zero.
  /// It reaches the amount of a shift of so many bits: from 0 to below it.
  unsigned shiftBelow = 0;
};
std::vector<ArgumentDomain> argumentDomains(const TaskProgram &task);

/// The patterns that tell right from wrong for a task, `Integers` first and
/// `Reals` last. Those two always; the others where the task has floats and
/// neither memory (512 MiB for all of them) nor time (1e9 points of loops)
/// forbids it; `Balanced` and `EqualRows` where the task is not exact on
/// integers anyway, and there `Scaled`, too, if it has sums; `Ascending` and
/// `Descending` where it reduces to extrema, of integers, too. `points` is the
/// number of iterations of all loops.
std::vector<InputPattern> choosePatterns(const TaskProgram &task,
                                         const TaskNumerics &numerics,
                                         double points);

/// The arguments of `task`, each from a stream of its own.
std::vector<std::vector<uint8_t>>
makeInputs(const TaskProgram &task, const TaskNumerics &numerics,
           llvm::ArrayRef<ArgumentDomain> domains, InputPattern pattern,
           const Random &random);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_INPUTSETS_H
