//===- Neighbors.cpp - predictions for small changes ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Explainer.h"

#include "pruner/Schedule/Space.h"

using namespace pruner;

Neighbors Explainer::neighbors(const ScheduleView &best, unsigned shown) {
  ScheduleSpace space(subject.task.desc, subject.environment.machine);
  std::vector<Schedule> near = space.neighbors(best.schedule);
  std::vector<Neighbor> all;
  for (const Schedule &schedule : near)
    all.push_back({spell(schedule),
                   describeChange(subject.task.desc, best.schedule, schedule),
                   model(schedule), index.measured(schedule)});
  llvm::sort(all, [](const Neighbor &a, const Neighbor &b) {
    return std::tie(a.predictedSeconds, a.text) <
           std::tie(b.predictedSeconds, b.text);
  });
  Neighbors found;
  found.legal = all.size();
  found.predictedFaster = llvm::count_if(all, [&](const Neighbor &n) {
    return n.predictedSeconds < best.predictedSeconds;
  });
  found.measured =
      llvm::count_if(all, [](const Neighbor &n) { return n.measured.known(); });
  // Show the best ones, which the model would prefer, and the next worse ones.
  for (auto [n, neighbor] : llvm::enumerate(all)) {
    bool among = n < found.predictedFaster ? n < shown
                                           : n < found.predictedFaster + shown;
    if (among || neighbor.measured.known())
      found.shown.push_back(neighbor);
  }
  return found;
}
