//===- TaskSampling.h - choice of representative tasks ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_TASKSAMPLING_H
#define PRUNER_LIB_DATASET_TASKSAMPLING_H

#include "pruner/Dataset/DatasetView.h"

namespace pruner {

/// A task and the schedules that represent it.
struct SampledTask {
  const MeasuredTask *task;
  std::vector<const MeasuredSchedule *> schedules;
};

/// Clusters of points: the centers and the number of points nearest to each.
struct Clusters {
  std::vector<std::vector<double>> centers;
  std::vector<size_t> sizes;
};

/// k-means of points of equal dimension: Lloyd's algorithm, initialized by
/// k-means++ with \p seed. Returns at most as many centers as there are
/// distinct points.
Clusters kMeans(llvm::ArrayRef<std::vector<double>> points, size_t count,
                uint64_t seed);

/// Chooses \p count tasks that represent all (CDMPP, algorithm 1). The programs
/// of all tasks are divided into \p count clusters. For each cluster, the
/// largest first, it takes the remaining task whose programs are nearest to the
/// center on average. A program is the mean of its statements' rows, with each
/// column normalized to mean 0 and variance 1. Times are not used. Returns task
/// numbers in the order of choice.
std::vector<size_t> sampleTasks(llvm::ArrayRef<SampledTask> tasks, size_t count,
                                uint64_t seed);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_TASKSAMPLING_H
