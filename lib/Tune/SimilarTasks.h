//===- SimilarTasks.h - schedules of similar tasks --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Good schedules carry over between similar tasks, such as a convolution of 64
// channels and one of 96. Tile factors and knobs are taken over, except where
// the new extents make a factor too large. The first round of a task therefore
// measures the best recorded schedules of the most similar tasks.

#ifndef PRUNER_LIB_TUNE_SIMILARTASKS_H
#define PRUNER_LIB_TUNE_SIMILARTASKS_H

#include "pruner/ModuleTasks/ModuleTask.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace pruner {

/// The distance of two tasks, in powers of two. It is the sum over the anchor's
/// dimensions of the absolute logarithms (base 2) of the ratios of extents,
/// plus 1 for each input that is constant in only one of the tasks, plus 1 for
/// each coefficient of an indexing map (a stride) that differs. Tasks that
/// differ only in their epilogues have distance 0. Returns nothing if schedules
/// do not carry over: the tasks differ in dimensions, operands, types, or in
/// the dimensions that their maps read.
std::optional<double> distanceBetween(const TaskDesc &a, const TaskDesc &b);

/// Sets `similar` of each task to the best schedules, nearest first, of up to
/// two tasks of the database `file`, which is only read. These tasks were
/// measured and verified in this environment and are not farther than
/// `kFarthest`. Records of older builds count, because each schedule is
/// measured again. Records that cannot be true are skipped. The number of tasks
/// found is printed to `log`. Fails only on errors of the database.
llvm::Error findSimilar(llvm::StringRef file, const Environment &environment,
                        std::vector<ModuleTask> &tasks, llvm::raw_ostream &log);

/// The largest distance that is used: a factor of 64 in total.
inline constexpr double kFarthest = 6;

} // namespace pruner

#endif // PRUNER_LIB_TUNE_SIMILARTASKS_H
