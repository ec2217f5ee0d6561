//===- TaskSampling.h - which tasks to measure first ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_TASKSAMPLING_H
#define PRUNER_DATASET_TASKSAMPLING_H

#include "pruner/Dataset/DatasetView.h"

namespace pruner {

/// A task with those of its schedules that are looked at.
struct SampledTask {
  const MeasuredTask *task;
  std::vector<const MeasuredSchedule *> schedules;
};

/// The points of a sample divided by which of `centres` is next.
struct Clusters {
  std::vector<std::vector<double>> centres;
  std::vector<size_t> sizes;
};

/// k-means of points of equal dimensions by Lloyd's algorithm, beginning with
/// k-means++ by \p seed; as many centres as there are different points at most.
Clusters kMeans(llvm::ArrayRef<std::vector<double>> points, size_t count,
                uint64_t seed);

/// Which \p count tasks stand for all (CDMPP, algorithm 1): the programs of
/// all are divided into as many clusters, and for each of these, the largest
/// first, the task is taken that is not taken yet and whose programs lie next
/// to its centre on average. A program is the mean of its statements' rows,
/// each column with mean 0 and variance 1. Returns numbers of tasks, in the
/// order in which they were taken; times are not looked at.
std::vector<size_t> sampleTasks(llvm::ArrayRef<SampledTask> tasks, size_t count,
                                uint64_t seed);

} // namespace pruner

#endif // PRUNER_DATASET_TASKSAMPLING_H
