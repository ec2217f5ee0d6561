//===- BorderInputs.h - inputs beside clamps and ties -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_BORDERINPUTS_H
#define PRUNER_LIB_VERIFICATION_BORDERINPUTS_H

#include "ArgumentBoxes.h"
#include "InputSets.h"

namespace pruner {

/// Whether some op of the task clamps, rounds, compares, truncates or shifts
/// what it computes, so that small changes of its operands make steps.
bool hasSteps(const TaskProgram &task);

/// Changes elements of `inputs` so that operands of the task's steps lie beside
/// their borders: at the last number below a clamp and the first one above, at
/// ties of roundings and one beside them, at both ends of truncations. One
/// element at a time is varied, the others stay as they are, and bisection
/// finds where the decisions of the task (ScalarSteps.h) change. That element
/// is one of an argument, or a sum of products: then a row of a factor is
/// chosen so that the sum has the value. Between the outermost borders values
/// are drawn evenly, too.
///
/// Changes at most one in `share` boxes of an argument. Returns how many
/// elements and sums it placed.
int64_t placeBorders(const TaskProgram &task,
                     llvm::ArrayRef<ArgumentDomain> domains,
                     llvm::ArrayRef<ArgumentBoxes> boxes, int64_t share,
                     ElementStream &random,
                     std::vector<std::vector<uint8_t>> &inputs);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BORDERINPUTS_H
