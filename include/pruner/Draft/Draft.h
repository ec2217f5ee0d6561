//===- Draft.h - choose a schedule without measuring ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DRAFT_DRAFT_H
#define PRUNER_DRAFT_DRAFT_H

#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Sketch/Schedule.h"

#include <optional>

namespace pruner {

/// The population of `pruner-draft` by default.
constexpr unsigned kDraftPopulation = 512;

/// Returns the schedule that the analytical model ranks first in one round of
/// drafts with `population` schedules, four times as many for a task of more
/// than seven dimensions (a 3-D convolution has eight). It is predicted to be
/// at least as fast as the default schedule. Returns nothing if no schedule is
/// legal. `caches` is as in `PsaOptions`; `seconds` receives the prediction.
std::optional<Schedule> draftSchedule(const TaskDesc &task,
                                      const std::optional<CacheState> &caches,
                                      const Environment &environment,
                                      unsigned population, uint64_t seed,
                                      double *seconds = nullptr);

} // namespace pruner

#endif // PRUNER_DRAFT_DRAFT_H
