//===- Knob.cpp - one decision of a schedule ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/Knob.h"
#include "Registry.h"
#include "pruner/Sketch/Sketch.h"

using namespace pruner;

llvm::ArrayRef<const Knob *> pruner::allKnobs() {
  static const Knob *const all[] = {
      &stagesKnob(), &vectorKnob(), &vectorDimKnob(), &unrollKnob(),
      &padKnob(),    &orderKnob(),  &splitKnob(),     &prefetchKnob(),
      &rasterKnob(), &streamKnob(), &pipelineKnob(),  &instructionKnob()};
  return all;
}

void Knob::guide(const KnobContext &context, Schedule &schedule,
                 unsigned position, llvm::ArrayRef<Value> values,
                 Random &random) const {
  choose(schedule, position, values[random.uniform(values.size())]);
  repair(context.task, schedule);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

bool Schedule::operator==(const Schedule &other) const {
  return sketch == other.sketch && tiles == other.tiles &&
         llvm::all_of(allKnobs(), [&](const Knob *knob) {
           return knob->equal(*this, other);
         });
}

llvm::hash_code pruner::hash_value(const Schedule &schedule) {
  uint64_t hash = uint64_t(schedule.sketch);
  auto add = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  for (const auto &factors : schedule.tiles)
    for (int64_t factor : factors)
      add(factor);
  for (auto [number, knob] : llvm::enumerate(allKnobs()))
    if (!knob->isDefault(schedule)) {
      add(number);
      for (int64_t value : knob->get(schedule))
        add(value);
    }
  return hash;
}

std::string pruner::scheduleKey(const Schedule &schedule) {
  std::string key = sketchOf(schedule).name.str();
  auto add = [&](char mark, llvm::ArrayRef<int64_t> values) {
    key += mark;
    for (int64_t value : values) {
      key += std::to_string(value);
      key += ',';
    }
  };
  for (const auto &factors : schedule.tiles)
    add('t', factors);
  for (auto [number, knob] : llvm::enumerate(allKnobs()))
    if (!knob->isDefault(schedule))
      add('A' + number, knob->get(schedule));
  return key;
}
