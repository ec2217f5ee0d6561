//===- Descent.cpp - steepest descent over neighbors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Descent.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <set>
#include <string>

using namespace pruner;

Evolved pruner::descend(const ScheduleSpace &space,
                        llvm::ArrayRef<Schedule> starts, ScoreFunction score) {
  Evolved out;
  // A descent depends only on where it is, so it ends where another one passed.
  std::set<std::string> passed;
  std::vector<std::pair<float, Schedule>> ends;
  auto scoresOf = [&](llvm::ArrayRef<Schedule> schedules) {
    std::vector<const Schedule *> pointers;
    for (const Schedule &schedule : schedules)
      pointers.push_back(&schedule);
    out.evaluations += schedules.size();
    return score(pointers);
  };
  for (const Schedule &start : starts) {
    Schedule at = start;
    float best = scoresOf(at).front();
    if (!std::isfinite(best))
      continue;
    while (passed.insert(scheduleKey(at)).second) {
      std::vector<Schedule> neighbors = space.neighbors(at);
      const Schedule *next = nullptr;
      for (auto [schedule, value] :
           llvm::zip_equal(neighbors, scoresOf(neighbors)))
        if (std::isfinite(value) && value > best) {
          best = value;
          next = &schedule;
        }
      if (!next) {
        ends.push_back({best, std::move(at)});
        break;
      }
      at = *next;
    }
  }
  llvm::stable_sort(
      ends, [](const auto &a, const auto &b) { return a.first > b.first; });
  for (auto &[value, schedule] : ends) {
    out.schedules.push_back(std::move(schedule));
    out.scores.push_back(value);
  }
  return out;
}
