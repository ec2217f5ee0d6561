//===- BorderInputs.h - inputs next to clamps and ties ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_BORDERINPUTS_H
#define PRUNER_LIB_VERIFICATION_BORDERINPUTS_H

#include "ArgumentBoxes.h"
#include "InputSets.h"

namespace pruner {

/// Whether some op of the task clamps, rounds, compares, truncates or shifts a
/// computed value, so that small changes of its operands change a decision.
bool hasSteps(const TaskProgram &task);

/// Changes elements of `inputs` so that operands of the task's steps are next
/// to their borders: the last number below a clamp and the first one above,
/// ties of roundings and their neighbors, both ends of truncations. The search
/// varies one element at a time, and bisection finds where the decisions of the
/// task (ScalarSteps.h) change. The element is that of an argument, or a sum of
/// products; in the latter case a row of a factor is chosen so that the sum has
/// the value. Values between the outermost borders are also drawn, evenly.
///
/// Changes at most one in `share` boxes of an argument. Returns the number of
/// elements and sums that it placed.
int64_t placeBorders(const TaskProgram &task,
                     llvm::ArrayRef<ArgumentDomain> domains,
                     llvm::ArrayRef<ArgumentBoxes> boxes, int64_t share,
                     ElementStream &random,
                     std::vector<std::vector<uint8_t>> &inputs);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BORDERINPUTS_H
