//===- RandomGpuSchedule.cpp - unusual random GPU schedules ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Support/Sizes.h"

#include <algorithm>

using namespace pruner;

/// Mostly the first of the sketches whose levels fit the dimensions. Rule R1
/// may still reject it because of the inputs.
static const Sketch &drawSketch(const TaskDesc &task, Random &random) {
  llvm::SmallVector<const Sketch *, 4> able;
  for (const Sketch *sketch : allSketches()) {
    bool reduces = !sketch->levels(DimKind::Reduction).empty();
    if (sketch->gpu &&
        (task.rows ? !sketch->fits(task) : reduces == task.hasReduction()))
      able.push_back(sketch);
  }
  bool other = able.size() > 1 && random.uniform(3) == 0;
  return *able[other ? 1 + random.uniform(able.size() - 1) : 0];
}

/// Threads and elements. Along a reduction, powers of two threads; half of the
/// time at least a warp.
static void drawAcrossThreads(const IterDim &dim, int64_t &thread,
                              int64_t &element, Random &random) {
  element = 1 + random.uniform(std::min<int64_t>(dim.extent, 5));
  int64_t limit = ceilDiv(dim.extent, element);
  if (!dim.reduction) {
    thread = 1 + random.uniform(std::min<int64_t>(limit, 12));
    return;
  }
  unsigned most = 0;
  while (most < 8 && (int64_t(2) << most) <= limit)
    ++most;
  thread = int64_t(1) << (random.uniform(2) ? most : random.uniform(most + 1));
}

static void drawFactors(const IterDim &dim, llvm::ArrayRef<TileLevel> levels,
                        llvm::MutableArrayRef<int64_t> factors,
                        Random &random) {
  int64_t inside = 1;
  // One in eight uses the whole extent as its innermost tile.
  bool whole = random.uniform(8) == 0;
  for (unsigned level = levels.size(); level-- > 0;) {
    int64_t limit = ceilDiv(dim.extent, inside);
    bool threads = levels[level].kind == LevelKind::Threads;
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

static Schedule drawOnce(const TaskDesc &task, Random &random) {
  const Sketch &sketch = drawSketch(task, random);
  Schedule s;
  s.sketch = sketch.id;
  llvm::ArrayRef<TileLevel> steps = sketch.levels(DimKind::Reduction);
  bool across = !steps.empty() && steps.front().kind == LevelKind::Shared;
  for (const IterDim &dim : task.anchorStatement().dims) {
    llvm::ArrayRef<TileLevel> levels =
        sketch.levels(dim.reduction ? DimKind::Reduction : DimKind::Parallel);
    auto &factors = s.tiles.emplace_back(levels.size(), 1);
    if (across)
      drawAcrossThreads(dim, factors.front(), factors.back(), random);
    else
      drawFactors(dim, levels, factors, random);
  }
  for (const Knob *knob : allKnobs())
    knob->drawAny(task, s, random);
  return s;
}

std::optional<Schedule> pruner::randomGpuSchedule(const TaskDesc &task,
                                                  const Machine &machine,
                                                  Random &random) {
  for (unsigned attempt = 0; attempt < 200; ++attempt) {
    Schedule schedule = drawOnce(task, random);
    if (resourcesOf(task, schedule).accumulators <= 64 &&
        !checkSchedule(task, schedule, machine))
      return schedule;
  }
  return std::nullopt;
}

void pruner::limitUnrolling(const TaskDesc &task, Schedule &schedule) {
  const auto &dims = task.anchorStatement().dims;
  const Sketch &sketch = sketchOf(schedule);
  // Iterations of the loops in a thread: all levels other than threads.
  int64_t iterations = 1;
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (dims[d].reduction)
      iterations *= schedule.tileSize(d);
    else if (sketch.tilesReduction())
      for (auto [factor, level] :
           llvm::zip(schedule.tiles[d], sketch.levels(DimKind::Parallel)))
        iterations *= level.kind == LevelKind::Copies ? factor : 1;
  }
  int64_t most =
      256 / std::max<int64_t>(1, resourcesOf(task, schedule).accumulators);
  while (schedule.unroll > 0 && std::min(schedule.unroll, iterations) > most)
    schedule.unroll = schedule.unroll > 64 ? 64 : schedule.unroll > 16 ? 16 : 0;
}
