//===- SimilarTasks.h - schedules of tasks that are alike -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was fast for a convolution of 64 channels is mostly not bad for one of
// 96: tile factors and knobs carry over as they are, but for what the new
// extents cut off. So the best recorded schedules of the most similar tasks are
// worth a trial of the first round, whoever recorded them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_SIMILARTASKS_H
#define PRUNER_TUNE_SIMILARTASKS_H

#include "pruner/Tune/TuneTask.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace pruner {

/// How far two tasks are from each other, in factors of two: over the anchor's
/// dimensions the absolute logarithms of the ratios of extents, and 1 for each
/// input that only one of them knows ahead of time, and for each coefficient of
/// an indexing map (a stride) that differs. 0 for tasks that differ in their
/// epilogues at most. Nothing where schedules do not carry over: other
/// dimensions, other operands, other types, or maps that read other dimensions.
std::optional<double> distanceBetween(const TaskDesc &a, const TaskDesc &b);

/// Fills `similar` of each task with the best schedules, nearest first, of up
/// to two tasks in the database `file` (which is only read) that were measured
/// and verified in this environment and are no farther than `kFarthest`. Older
/// builds count: a schedule is right or wrong by what is measured of it now.
/// Records that cannot be true are passed over. Says on `log` how many were
/// found. Errors are those of the database.
llvm::Error findSimilar(llvm::StringRef file, const Environment &environment,
                        std::vector<TuneTask> &tasks, llvm::raw_ostream &log);

/// Beyond a factor of 64 in all.
inline constexpr double kFarthest = 6;

} // namespace pruner

#endif // PRUNER_TUNE_SIMILARTASKS_H
