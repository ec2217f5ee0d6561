//===- RandomGpuSchedule.cpp - odd GPU schedules --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Resources.h"
#include "pruner/Measure/Fuzz.h"

#include <algorithm>

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Blocks, threads and elements; powers of two threads along a reduction, half
/// of the time all of a warp or more.
static Schedule drawAcrossThreads(const TaskDesc &task, Random &random) {
  const StatementDesc &anchor = task.anchorStatement();
  Schedule s;
  s.variant = Variant::SimtRow;
  for (const IterDim &dim : anchor.dims) {
    auto &factors = s.tiles.emplace_back(2, 1);
    factors[tile::Elements] =
        1 + random.uniform(std::min<int64_t>(dim.extent, 5));
    int64_t limit = ceilDiv(dim.extent, factors[tile::Elements]);
    if (!dim.reduction) {
      factors[tile::Middle] = 1 + random.uniform(std::min<int64_t>(limit, 12));
      continue;
    }
    unsigned most = 0;
    while (most < 8 && (int64_t(2) << most) <= limit)
      ++most;
    factors[tile::Middle] =
        int64_t(1) << (random.uniform(2) ? most : random.uniform(most + 1));
  }
  s.stages.assign(anchor.inputs.size(), StageLevel::None);
  const int64_t steps[] = {0, 0, 16, 64};
  s.unroll = steps[random.uniform(4)];
  return s;
}

/// A few parts for each reduction dimension that has more than one step.
static void splitReduction(const TaskDesc &task, Schedule &s, Random &random) {
  const auto &dims = task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction) {
      int64_t steps = ceilDiv(dims[d].extent, s.tileSize(d));
      s.split.push_back(1 + random.uniform(std::min<int64_t>(steps, 5)));
    }
}

static Schedule drawOnce(const TaskDesc &task, Random &random) {
  const StatementDesc &anchor = task.anchorStatement();
  bool tiled = task.hasReduction();
  if (task.rows || (tiled && random.uniform(3) == 0))
    return drawAcrossThreads(task, random);
  Schedule s;
  s.variant = tiled ? Variant::SimtTile : Variant::SimtMap;
  unsigned threadLevel = tiled ? unsigned(tile::Thread) : tile::Middle;
  for (const IterDim &dim : anchor.dims) {
    unsigned levels = innerTileLevels(s.variant, dim.reduction);
    auto &factors = s.tiles.emplace_back(levels, 1);
    int64_t inside = 1;
    // One in eight takes the whole extent in its innermost tile.
    bool whole = random.uniform(8) == 0;
    for (unsigned level = levels; level-- > 0;) {
      int64_t limit = ceilDiv(dim.extent, inside);
      bool threads = !dim.reduction && level == threadLevel;
      int64_t most = std::min<int64_t>(limit, threads         ? 40
                                              : dim.reduction ? 12
                                                              : 4);
      if (random.uniform(threads ? 4 : 2))
        factors[level] = 1 + random.uniform(most);
      if (whole)
        factors[level] = limit;
      inside *= factors[level];
    }
  }
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    bool produced = task.prologues[i] >= 0 || anchor.inputs[i].padded;
    s.stages.push_back(StageLevel(!tiled     ? 0
                                  : produced ? 1 + random.uniform(2)
                                             : random.uniform(3)));
  }
  if (!tiled)
    return s;
  s.vector = int64_t(1) << random.uniform(4);
  const int64_t steps[] = {0, 0, 16, 64, 512, 1024};
  s.unroll = steps[random.uniform(6)];
  if (random.uniform(2))
    s.pad = random.uniform(random.uniform(4) ? 10 : 65);
  return s;
}

std::optional<Schedule> pruner::randomGpuSchedule(const TaskDesc &task,
                                                  const Machine &machine,
                                                  Random &random) {
  for (unsigned attempt = 0; attempt < 200; ++attempt) {
    Schedule schedule = drawOnce(task, random);
    if (task.hasReduction() && !task.rows && random.uniform(3) == 0)
      splitReduction(task, schedule, random);
    if (resourcesOf(task, schedule).accumulators <= 64 &&
        !checkSchedule(task, schedule, machine))
      return schedule;
  }
  return std::nullopt;
}

void pruner::limitUnrolling(const TaskDesc &task, Schedule &schedule) {
  const auto &dims = task.anchorStatement().dims;
  // Iterations of the loops in a thread: all levels that are no threads.
  int64_t iterations = 1;
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (dims[d].reduction)
      iterations *= schedule.tileSize(d);
    else if (schedule.variant == Variant::SimtTile)
      iterations *= schedule.tileSize(d, tile::Copies);
  }
  int64_t most =
      256 / std::max<int64_t>(1, resourcesOf(task, schedule).accumulators);
  while (schedule.unroll > 0 && std::min(schedule.unroll, iterations) > most)
    schedule.unroll = schedule.unroll > 64 ? 64 : schedule.unroll > 16 ? 16 : 0;
}
