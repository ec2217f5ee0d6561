//===- Metrics.h - quality of a choice by scores ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DATASET_METRICS_H
#define PRUNER_DATASET_METRICS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <vector>

namespace pruner {

/// Spearman's rank correlation of two lists of the same length. Ties get the
/// mean of their ranks. Returns 0 if one list is constant.
double rankCorrelation(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b);

/// The share of pairs with different values that the scores order like the
/// values. Equal scores count half. Returns 1/2 if all values are equal.
double pairwiseAccuracy(llvm::ArrayRef<double> scores,
                        llvm::ArrayRef<double> values);

/// The expected maximum of `sure` and of `draws` values from `pool`, drawn at
/// random without replacement. Draws all if there are fewer.
double expectedMaximum(double sure, std::vector<double> pool, size_t draws);

/// The expected maximum of `values` among the `count` entries with the highest
/// `scores`. Ties at the border are broken at random, so equal scores
/// everywhere are a random choice.
double bestOfHighest(llvm::ArrayRef<double> scores,
                     llvm::ArrayRef<double> values, size_t count);

} // namespace pruner

#endif // PRUNER_DATASET_METRICS_H
