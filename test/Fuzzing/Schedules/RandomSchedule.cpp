//===- RandomSchedule.cpp - schedules for no particular machine -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Machine/Instructions.h"
#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Resources.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Support/Sizes.h"

using namespace pruner;

/// Operations in the straight-line code of a register tile.
static int64_t bodySize(const Schedule &schedule) {
  const Sketch &sketch = sketchOf(schedule);
  bool accumulates = sketch.tilesReduction();
  unsigned level = sketch.registerLevel();
  int64_t size = accumulates ? schedule.unroll : 1;
  for (const auto &factors : schedule.tiles)
    if (level < factors.size())
      size *= factors[level];
    else if (!factors.empty() &&
             (!accumulates || schedule.sketch == SketchId::CpuChain))
      size *= factors.back();
  // Lanes along a reduction are not part of the register tile.
  bool reducesLanes = accumulates && schedule.vectorDim >= 0 &&
                      schedule.tiles[schedule.vectorDim].size() <= level;
  return reducesLanes ? size : size / schedule.vector;
}

/// Drops a matrix instruction that this CPU lacks, because the code is run.
static void dropMissing(const TaskDesc &task, Schedule &s) {
  static const Machine host = queryHostCpu();
  std::optional<InstructionUse> use = instructionUse(task, s);
  if (use &&
      !hasInstruction(host, *use->instruction,
                      s.vector * byteWidth(use->instruction->accumulators)))
    s.instruction = 0;
}

static Schedule drawOnce(const TaskDesc &task, Random &random) {
  Schedule s;
  for (const Sketch *sketch : allSketches())
    if (!sketch->gpu && !sketch->fits(task))
      s.sketch = sketch->id;
  // The dimension along vectors, then their length, then tiles of whole
  // vectors.
  for (const Knob *knob : llvm::reverse(allKnobs()))
    if (knob->has(Knob::BeforeTiles))
      knob->drawAny(task, s, random);
  dropMissing(task, s);
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    const int64_t unit = innermostUnit(task, s, d);
    unsigned levels = sketchOf(s).levels(task.kindOf(d)).size();
    auto &factors = s.tiles.emplace_back(levels, 1);
    int64_t inside = 1;
    // One in eight uses the whole extent as its innermost tile.
    bool whole = random.uniform(8) == 0;
    for (unsigned level = levels; level-- > 0;) {
      int64_t limit = ceilDiv(task.dims()[d].extent, inside);
      int64_t most = random.uniform(2) ? limit : std::min<int64_t>(limit, 8);
      factors[level] = random.uniform(3) ? 1 + random.uniform(most) : 1;
      if (whole)
        factors[level] = limit;
      if (unit && level + 1 == levels)
        factors[level] = ceilDiv(factors[level], unit) * unit;
      inside *= factors[level];
    }
  }
  for (const Knob *knob : allKnobs())
    if (!knob->has(Knob::BeforeTiles))
      knob->drawAny(task, s, random);
  return s;
}

bool pruner::isLong(const Schedule &schedule) {
  int64_t size = bodySize(schedule);
  return size > 128 || size * schedule.vector > 1024;
}

/// Whether its tiles do not fit the tile registers, which rule R11 rejects.
/// LLVM cannot spill tiles in every case.
static bool needsMoreTiles(const TaskDesc &task, const Schedule &schedule) {
  return schedule.instruction != 0 &&
         resourcesOf(task, schedule).tiles > MatrixInstruction::kTileRegisters;
}

Schedule pruner::randomCpuSchedule(const TaskDesc &task, Random &random) {
  Schedule schedule = drawOnce(task, random);
  while (isLong(schedule) || needsMoreTiles(task, schedule))
    schedule = drawOnce(task, random);
  return schedule;
}
