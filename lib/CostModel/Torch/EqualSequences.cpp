//===- EqualSequences.cpp - equal inputs of TLP as one program ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EqualSequences.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

using namespace pruner;

static float median(std::vector<float> &values) {
  std::sort(values.begin(), values.end());
  std::size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

LabeledPrograms pruner::joinEqual(const LabeledPrograms &from,
                                  std::size_t sequence,
                                  const std::string &label) {
  if (label == "apart")
    return from;
  LabeledPrograms joined;
  std::vector<std::vector<float>> labels;
  std::map<std::pair<int, std::string_view>, std::size_t> numbers;
  for (std::size_t i = 0; i < from.programs.size(); ++i) {
    const ProgramFeatures &program = *from.programs[i];
    std::size_t steps = std::min(sequence, program.primitiveSteps());
    std::string_view bytes(
        reinterpret_cast<const char *>(program.primitives.data()),
        steps * kPrimitiveFeatureSize * sizeof(float));
    auto [entry, isNew] = numbers.try_emplace(std::pair(from.groups[i], bytes),
                                              joined.programs.size());
    if (isNew) {
      joined.programs.push_back(&program);
      joined.groups.push_back(from.groups[i]);
      labels.emplace_back();
    }
    labels[entry->second].push_back(from.labels[i]);
  }
  for (std::vector<float> &each : labels)
    joined.labels.push_back(label == "best"
                                ? *std::max_element(each.begin(), each.end())
                                : median(each));
  return joined;
}
