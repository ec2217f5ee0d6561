//===- Draft.h - schedules without measuring ------------------ -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_DRAFT_H
#define PRUNER_LIB_TUNE_DRAFT_H

#include "pruner/Sketch/Schedule.h"
#include "pruner/Tune/TuneTask.h"

#include <optional>

namespace pruner {

/// The schedule that the analytical model prefers after a round of drafts of
/// `population` schedules, or the default one if that is predicted to be as
/// fast; none if none is legal. `caches` as in `PsaOptions`; `seconds` becomes
/// its prediction.
std::optional<Schedule> draftSchedule(const TaskDesc &task,
                                      const std::optional<CacheState> &caches,
                                      const Environment &environment,
                                      unsigned population, uint64_t seed,
                                      double *seconds = nullptr);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_DRAFT_H
