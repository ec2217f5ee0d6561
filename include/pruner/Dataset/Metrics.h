//===- Metrics.h - how well scores choose -----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_METRICS_H
#define PRUNER_DATASET_METRICS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <vector>

namespace pruner {

/// Spearman's rank correlation of two lists of the same length; ties have the
/// mean of their ranks. 0 where one of them does not vary.
double rankCorrelation(llvm::ArrayRef<double> a, llvm::ArrayRef<double> b);

/// Of the pairs with different values, the share that the scores order as the
/// values do; equal scores count half. 1/2 where all values are the same.
double pairwiseAccuracy(llvm::ArrayRef<double> scores,
                        llvm::ArrayRef<double> values);

/// The expected maximum of `sure` and `draws` of the `pool`, drawn at random
/// without putting back; of more than there are, all of them.
double expectedMaximum(double sure, std::vector<double> pool, size_t draws);

/// The expected largest of `values` among the `count` that have the highest
/// `scores`; of equal scores at the border any are taken, each as likely. Equal
/// scores everywhere are a choice at random.
double bestOfHighest(llvm::ArrayRef<double> scores,
                     llvm::ArrayRef<double> values, size_t count);

} // namespace pruner

#endif // PRUNER_DATASET_METRICS_H
