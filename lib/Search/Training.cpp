//===- Training.cpp - what the learned model is taught --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Search/Training.h"

using namespace pruner;

void TrainingData::add(int task, const ScheduleSpace &space,
                       llvm::ArrayRef<Observation> observations) {
  TaskFlags flags = taskFlags(space.task());
  for (const Observation &observation : observations) {
    programs.push_back(featuresOf(
        summarize(space.task(),
                  buildTiledProgram(space.task(), observation.schedule)),
        flags, options));
    seconds.push_back(observation.seconds);
    groups.push_back(task);
    if (!observation.seconds)
      continue;
    auto [entry, first] = best.insert({task, *observation.seconds});
    if (!first && *observation.seconds < entry->second)
      entry->second = *observation.seconds;
  }
}

std::vector<float> TrainingData::labels() const {
  std::vector<float> result;
  for (size_t i = 0; i < programs.size(); ++i)
    result.push_back(seconds[i] ? float(best.at(groups[i]) / *seconds[i])
                                : 0.0f);
  return result;
}

TrainingReport TrainingData::train(CostModel &model) const {
  return model.update(programs, labels(), groups);
}
