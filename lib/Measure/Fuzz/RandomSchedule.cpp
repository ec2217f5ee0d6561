//===- RandomSchedule.cpp - schedules beyond any machine ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Resources.h"
#include "pruner/Measure/Fuzz.h"
#include "pruner/Program/TiledProgram.h"

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Operations in the straight-line code of a register tile.
static int64_t bodySize(const Schedule &schedule) {
  int64_t size = schedule.variant == Variant::CpuTile ? schedule.unroll : 1;
  unsigned level = registerTileLevel(schedule.variant);
  for (const auto &factors : schedule.tiles)
    if (level < factors.size())
      size *= factors[level];
    else if (schedule.variant == Variant::CpuRow)
      size *= factors.back();
  // Lanes along a reduction are no part of the register tile.
  bool reducesLanes = schedule.variant == Variant::CpuTile &&
                      schedule.vectorDim >= 0 &&
                      schedule.tiles[schedule.vectorDim].size() <= level;
  return reducesLanes ? size : size / schedule.vector;
}

static Schedule drawOnce(const TaskDesc &task, Random &random) {
  const StatementDesc &anchor = task.anchorStatement();
  Schedule s;
  s.variant = task.rows             ? Variant::CpuRow
              : task.hasReduction() ? Variant::CpuTile
                                    : Variant::CpuMap;
  // Mostly along the output's last coordinate.
  if (random.uniform(3) == 0) {
    unsigned d = random.uniform(anchor.dims.size());
    if (anchor.dims[d].reduction ? anchor.associative : !task.rows)
      s.vectorDim = d;
  }
  std::optional<unsigned> vectorDim = vectorDimension(task, s);
  s.vector = vectorDim ? int64_t(1) << random.uniform(6) : 1;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    unsigned levels = innerTileLevels(s.variant, anchor.dims[d].reduction);
    auto &factors = s.tiles.emplace_back(levels, 1);
    int64_t inside = 1;
    // One in eight takes the whole extent in its innermost tile.
    bool whole = random.uniform(8) == 0;
    for (unsigned level = levels; level-- > 0;) {
      int64_t limit = ceilDiv(anchor.dims[d].extent, inside);
      int64_t most = random.uniform(2) ? limit : std::min<int64_t>(limit, 8);
      factors[level] = random.uniform(3) ? 1 + random.uniform(most) : 1;
      if (whole)
        factors[level] = limit;
      if (d == vectorDim && level + 1 == levels)
        factors[level] = ceilDiv(factors[level], s.vector) * s.vector;
      inside *= factors[level];
    }
  }
  bool tile = s.variant == Variant::CpuTile;
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    bool produced = task.prologues[i] >= 0 || anchor.inputs[i].padded;
    if (tile && task.canPackAhead(i) && random.uniform(3) == 0) {
      s.stages.push_back(StageLevel::Ahead);
      continue;
    }
    s.stages.push_back(StageLevel(!tile      ? 0
                                  : produced ? 1 + random.uniform(2)
                                             : random.uniform(3)));
  }
  s.unroll = int64_t(1) << random.uniform(6);
  if (task.rows)
    s.prefetch = random.uniform(3);
  if (tile && random.uniform(2)) {
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (!anchor.dims[d].reduction)
        s.order.push_back(d);
    random.shuffle(s.order);
  }
  return s;
}

bool pruner::isLong(const Schedule &schedule) {
  int64_t size = bodySize(schedule);
  return size > 128 || size * schedule.vector > 1024;
}

Schedule pruner::randomCpuSchedule(const TaskDesc &task, Random &random) {
  Schedule schedule = drawOnce(task, random);
  while (isLong(schedule))
    schedule = drawOnce(task, random);
  return schedule;
}
