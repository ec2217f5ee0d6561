//===- Training.cpp - the training data of the learned model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Training.h"

#include "pruner/Analysis/ScheduleFeatures.h"

#include <algorithm>
#include <map>

using namespace pruner;

void TrainingData::add(const ScheduleSpace &space,
                       llvm::ArrayRef<Trial> trials) {
  ScheduleFeatures features(space.task(), space.machine(), parts, options, psa);
  for (const Trial &trial : trials) {
    programs.push_back(features(trial.schedule));
    seconds.push_back(trial.seconds);
    groups.push_back(int(trial.task));
  }
}

std::vector<float> TrainingData::labels(size_t count) const {
  std::map<int, double> best;
  for (size_t i = 0; i < count; ++i) {
    if (!seconds[i])
      continue;
    auto [entry, first] = best.insert({groups[i], *seconds[i]});
    if (!first)
      entry->second = std::min(entry->second, *seconds[i]);
  }
  std::vector<float> result;
  for (size_t i = 0; i < count; ++i)
    result.push_back(seconds[i] ? float(best.at(groups[i]) / *seconds[i])
                                : 0.0f);
  return result;
}

std::vector<float> TrainingData::scores(CostModel &model, size_t begin,
                                        size_t end) const {
  return model.predict({programs.begin() + begin, programs.begin() + end});
}

TrainingReport TrainingData::train(CostModel &model, size_t count) const {
  if (LatencyModel *latency = model.latency()) {
    std::vector<ProgramFeatures> some(programs.begin(),
                                      programs.begin() + count);
    std::vector<double> times;
    for (size_t i = 0; i < count; ++i)
      times.push_back(seconds[i].value_or(0));
    return latency->updateSeconds(some, times, {});
  }
  if (count == size())
    return model.update(programs, labels(), groups);
  std::vector<ProgramFeatures> some(programs.begin(), programs.begin() + count);
  std::vector<int> tasks(groups.begin(), groups.begin() + count);
  return model.update(some, labels(count), tasks);
}
