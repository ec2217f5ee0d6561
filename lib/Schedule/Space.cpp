//===- Space.cpp - the sketches of a task ---------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Schedule/Space.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Program/TiledProgram.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// Whether register tiles are all that counts: operands are used many times
/// each, and there are outputs enough to fill any GPU without splitting a
/// reduction.
static bool isDense(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  double iterations = 1, outputs = 1, elements = 1;
  for (const IterDim &dim : anchor.dims) {
    iterations *= double(dim.extent);
    outputs *= dim.reduction ? 1 : double(dim.extent);
  }
  for (const OperandDesc &input : anchor.inputs)
    elements += double(task.tensors[input.tensor].elements());
  return iterations / elements >= 8 && outputs >= 65536;
}

ScheduleSpace::ScheduleSpace(TaskDesc task, Machine machine,
                             SpaceOptions options)
    : taskDesc(std::move(task)), device(std::move(machine)) {
  auto add = [&](Variant sketch, unsigned share) {
    spaces.emplace_back(taskDesc, device, sketch, options);
    shares.push_back(share);
  };
  bool reduction = taskDesc.hasReduction();
  if (!device.isGpu()) {
    add(taskDesc.rows ? Variant::CpuRow
        : reduction   ? Variant::CpuTile
                      : Variant::CpuMap,
        100);
  } else if (taskDesc.rows) {
    add(Variant::SimtRow, 100);
  } else if (!reduction) {
    add(Variant::SimtMap, 100);
  } else if (checkVariant(taskDesc, Variant::SimtRow)) {
    add(Variant::SimtTile, 100);
  } else {
    unsigned across = isDense(taskDesc) ? 5 : 50;
    add(Variant::SimtTile, 100 - across);
    add(Variant::SimtRow, across);
  }
}

const SketchSpace &ScheduleSpace::spaceOf(const Schedule &schedule) const {
  for (const SketchSpace &space : spaces)
    if (space.variant() == schedule.variant)
      return space;
  return spaces.front();
}

double ScheduleSpace::size() const {
  double sum = 0;
  for (const SketchSpace &space : spaces)
    sum += space.size();
  return sum;
}

std::optional<Schedule> ScheduleSpace::at(uint64_t index) const {
  for (const SketchSpace &space : spaces) {
    auto points = uint64_t(space.size());
    if (index < points)
      return space.at(index);
    index -= points;
  }
  return std::nullopt;
}

std::optional<Schedule> ScheduleSpace::sample(Random &random,
                                              RejectionStats *stats) const {
  if (spaces.size() == 1)
    return spaces.front().sample(random, stats);
  unsigned draw = random.uniform(100), first = 0;
  while (first + 1 < spaces.size() && draw >= shares[first])
    draw -= shares[first++];
  for (unsigned n = 0; n < spaces.size(); ++n)
    if (auto schedule =
            spaces[(first + n) % spaces.size()].sample(random, stats))
      return schedule;
  return std::nullopt;
}

std::optional<Schedule> ScheduleSpace::mutate(const Schedule &schedule,
                                              Random &random) const {
  return spaceOf(schedule).mutate(schedule, random);
}

std::optional<Schedule> ScheduleSpace::crossover(const Schedule &a,
                                                 const Schedule &b,
                                                 Random &random) const {
  if (a.variant != b.variant)
    return random.uniform(2) ? a : b;
  return spaceOf(a).crossover(a, b, random);
}

std::vector<Schedule>
ScheduleSpace::neighbours(const Schedule &schedule) const {
  return spaceOf(schedule).neighbours(schedule);
}

std::optional<Schedule> ScheduleSpace::defaultSchedule() const {
  if (spaces.size() == 1)
    return spaces.front().defaultSchedule();
  std::optional<Schedule> best;
  double bestSeconds = 0;
  for (const SketchSpace &space : spaces) {
    std::optional<Schedule> schedule = space.defaultSchedule();
    if (!schedule)
      continue;
    double seconds = psaSeconds(
        summarize(taskDesc, buildTiledProgram(taskDesc, *schedule)), device);
    if (!best || seconds < bestSeconds) {
      best = std::move(schedule);
      bestSeconds = seconds;
    }
  }
  return best;
}

std::string ScheduleSpace::describe() const {
  std::string text;
  for (const SketchSpace &space : spaces)
    text += space.describe();
  return text;
}
