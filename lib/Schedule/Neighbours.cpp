//===- Neighbours.cpp - all schedules one knob away -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Legality.h"
#include "pruner/Schedule/Space.h"

#include <set>

using namespace pruner;

std::vector<Schedule> SketchSpace::neighbours(const Schedule &schedule) const {
  std::vector<Schedule> found;
  std::set<std::string> seen{scheduleKey(schedule)};
  auto keep = [&](const Schedule &s) {
    if (seen.insert(scheduleKey(s)).second &&
        !checkSchedule(taskDesc, s, device))
      found.push_back(s);
  };
  for (unsigned d = 0; d < schedule.tiles.size(); ++d)
    for (unsigned level = 0; level < schedule.tiles[d].size(); ++level) {
      int64_t left = remaining(d, schedule.tileSize(d, level + 1));
      for (int64_t value : choices(d, level, left, lanesAlong(schedule, d))) {
        Schedule s = schedule;
        s.tiles[d][level] = value;
        repair(s);
        keep(s);
      }
    }
  auto each = [&](const auto &values, auto set) {
    for (const auto &value : values) {
      Schedule s = schedule;
      set(s, value);
      keep(s);
    }
  };
  for (unsigned i = 0; i < schedule.stages.size(); ++i)
    each(stages[i], [&](Schedule &s, StageLevel v) { s.stages[i] = v; });
  each(vectors, [&](Schedule &s, int64_t v) {
    s.vector = v;
    repair(s);
  });
  each(vectorDims, [&](Schedule &s, int64_t v) {
    s.vectorDim = v;
    repair(s);
  });
  each(unrolls, [&](Schedule &s, int64_t v) { s.unroll = v; });
  each(prefetches, [&](Schedule &s, int64_t v) { s.prefetch = v; });
  each(pads, [&](Schedule &s, int64_t v) { s.pad = v; });
  each(orders, [&](Schedule &s, const auto &v) { s.order = v; });
  each(splits, [&](Schedule &s, const auto &v) {
    s.split = v;
    repairSplit(s);
  });
  return found;
}
