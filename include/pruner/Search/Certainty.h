//===- Certainty.h - when to stop tuning a task -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adaptive controller of Moses (HotMobile 2023, section 3.4): tuning of a
// task stops when the model's predictions for its last batches hardly vary from
// one batch to the next. The measure is the coefficient of variation (the
// standard deviation over the mean) of one number per batch.
//
// Scores of models are not times: adding a constant to all of them changes
// nothing, and their mean may be 0. exp(score) has meaningful ratios: in the
// logistic model of pairs it is the strength of a program compared with others
// (Bradley and Terry, 1952). The number of a batch is the mean of exp(score).

#ifndef PRUNER_SEARCH_CERTAINTY_H
#define PRUNER_SEARCH_CERTAINTY_H

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace pruner {

struct CertaintyOptions {
  /// Tuning of a task stops when the variation is below this; 0: never.
  double below = 0;
  /// The number of last batches that are compared, at least two.
  unsigned batches = 3;
};

/// Returns the coefficient of variation, over batches, of the mean of
/// exp(score). Infinity for fewer than two batches, or if a batch has no finite
/// score.
double variationOf(llvm::ArrayRef<std::vector<float>> batches);

/// Returns true if tuning of a task may stop. `batches` are the scores of all
/// its batches, first to last, by the current model.
bool isCertain(llvm::ArrayRef<std::vector<float>> batches,
               const CertaintyOptions &options);

} // namespace pruner

#endif // PRUNER_SEARCH_CERTAINTY_H
