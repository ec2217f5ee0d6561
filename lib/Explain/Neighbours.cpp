//===- Neighbours.cpp - what small changes would do -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explainer.h"

#include "pruner/Schedule/Space.h"

using namespace pruner;

Neighbours Explainer::neighbours(const ScheduleView &best, unsigned shown) {
  ScheduleSpace space(subject.task.desc, subject.environment.machine);
  std::vector<Schedule> near = space.neighbours(best.schedule);
  std::vector<Neighbour> all;
  for (const Schedule &schedule : near)
    all.push_back({spell(schedule),
                   describeChange(subject.task.desc, best.schedule, schedule),
                   model(schedule), index.measured(schedule)});
  llvm::sort(all, [](const Neighbour &a, const Neighbour &b) {
    return std::tie(a.predictedSeconds, a.text) <
           std::tie(b.predictedSeconds, b.text);
  });
  Neighbours found;
  found.legal = all.size();
  found.predictedFaster = llvm::count_if(all, [&](const Neighbour &n) {
    return n.predictedSeconds < best.predictedSeconds;
  });
  found.measured = llvm::count_if(
      all, [](const Neighbour &n) { return n.measured.known(); });
  // The best of all say what the model would have one do; the next worse ones
  // what it holds of the rest.
  for (auto [n, neighbour] : llvm::enumerate(all)) {
    bool among = n < found.predictedFaster ? n < shown
                                           : n < found.predictedFaster + shown;
    if (among || neighbour.measured.known())
      found.shown.push_back(neighbour);
  }
  return found;
}
