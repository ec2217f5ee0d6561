//===- Certainty.h - when measuring a task teaches no more ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The adaptive controller of Moses (HotMobile 2023, section 3.4): a task is
// measured no more when what the model predicts of its last batches hardly
// varies from one to the next. The measure is the coefficient of variation, the
// standard deviation over the mean, of one number for each batch.
//
// Scores of models here are no times: adding the same to all of them changes
// nothing, and means may be 0. exp(score) has a ratio that means something: in
// the logistic model of pairs it is how strong a program is beside others
// (Bradley and Terry, 1952). A batch's number is the mean of these.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_CERTAINTY_H
#define PRUNER_SEARCH_CERTAINTY_H

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace pruner {

struct CertaintyOptions {
  /// A task ends when the variation is below this; 0: never.
  double below = 0;
  /// Over so many of its last batches, at least two.
  unsigned batches = 3;
};

/// The coefficient of variation over batches of the mean of exp(score).
/// Infinity for fewer than two batches, and where no score of one is finite.
double variationOf(llvm::ArrayRef<std::vector<float>> batches);

/// Whether a task whose batches, from the first, have these scores by the
/// present model has ended.
bool isCertain(llvm::ArrayRef<std::vector<float>> batches,
               const CertaintyOptions &options);

} // namespace pruner

#endif // PRUNER_SEARCH_CERTAINTY_H
