//===- StrategyFixtures.h - searches on a fake device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_UNITTESTS_SEARCH_STRATEGYFIXTURES_H
#define PRUNER_UNITTESTS_SEARCH_STRATEGYFIXTURES_H

#include "TaskFixtures.h"

#include "pruner/CostModel/ModelKind.h"
#include "pruner/Search/Strategy.h"
#include "pruner/Search/Training.h"

#include <cmath>

namespace pruner::test {

/// A device that differs from the analytical model: other caches, another
/// clock, a cost of unrolling that the model does not have, and 20 % noise per
/// schedule.
inline double fakeDevice(const TaskDesc &task, const Schedule &schedule) {
  Machine other = cpu();
  other.l1Bytes = 48 << 10;
  other.l2Bytes = 512 << 10;
  other.memoryBandwidth = 12e9;
  ProgramSummary summary = summarize(task, buildTiledProgram(task, schedule));
  PsaReport report = analyzePsa(summary, other);
  double seconds = 0;
  for (const StatementPsa &statement : report.statements)
    seconds +=
        std::max(statement.computeSeconds, 1.5 * statement.memorySeconds);
  seconds *= 1 + 0.05 * std::abs(std::log2(double(schedule.unroll) / 4));
  uint64_t hash = 1469598103934665603u;
  for (char c : scheduleKey(schedule))
    hash = (hash ^ uint64_t(uint8_t(c))) * 1099511628211u;
  return seconds * (1 + 0.2 * double(hash % 1024) / 1024);
}

inline std::unique_ptr<TaskSearch>
createSearch(llvm::StringRef name, const ScheduleSpace &space, CostModel *model,
             const SearchOptions &options = {}) {
  return findSearchStrategy(name)->createSearch(space, model, options);
}

inline Trial trialOf(const Schedule &schedule, std::optional<double> seconds,
                     unsigned task = 0) {
  Trial trial;
  trial.schedule = schedule;
  trial.seconds = seconds;
  trial.task = task;
  return trial;
}

inline SearchOptions small(uint64_t seed) {
  SearchOptions options;
  options.seed = seed;
  options.population = 192;
  options.draftSize = 64;
  return options;
}

inline std::unique_ptr<CostModel> createLinearModel() {
  return createCostModel("linear").model;
}

/// Returns the best time after `rounds` rounds of 10 on the fake device.
inline double tune(llvm::StringRef name, const TaskDesc &task, uint64_t seed,
                   unsigned rounds) {
  ScheduleSpace space(task, cpu());
  std::unique_ptr<CostModel> model = createLinearModel();
  SearchOptions options = small(seed);
  std::unique_ptr<TaskSearch> strategy =
      createSearch(name, space, model.get(), options);
  TrainingData data(model->reads());
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<Trial> results;
    for (const Trial &candidate : strategy->propose(10))
      results.push_back(
          trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
    strategy->observe(results);
    data.add(space, results);
    data.train(*model);
  }
  return *strategy->best()->seconds;
}

} // namespace pruner::test

#endif // PRUNER_UNITTESTS_SEARCH_STRATEGYFIXTURES_H
