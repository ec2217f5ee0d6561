//===- DefaultSchedule.cpp - the schedule to use with no search -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Psa.h"
#include "pruner/Schedule/Space.h"

using namespace pruner;

/// Draws and then improvements by one knob: enough that the draft model's own
/// optimum is close, a few milliseconds in all.
static constexpr unsigned kDraws = 192, kSteps = 256;
static constexpr uint64_t kSeed = 0x5eed;

std::optional<Schedule> ScheduleSpace::defaultSchedule() const {
  Random random(kSeed);
  std::optional<Schedule> best;
  double bestSeconds = 0;
  auto offer = [&](std::optional<Schedule> s) {
    if (!s)
      return;
    double seconds = psaSeconds(
        summarize(taskDesc, buildTiledProgram(taskDesc, *s)), device);
    if (!best || seconds < bestSeconds) {
      best = std::move(s);
      bestSeconds = seconds;
    }
  };
  for (unsigned i = 0; i < kDraws; ++i)
    offer(sample(random));
  for (unsigned i = 0; best && i < kSteps; ++i)
    offer(mutate(*best, random));
  return best;
}
