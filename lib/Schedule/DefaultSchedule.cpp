//===- DefaultSchedule.cpp - the schedule to use with no search -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Schedule/SketchSpace.h"

using namespace pruner;

/// Draws and then improvements by one knob: enough that the draft model's own
/// optimum is close, a few milliseconds in all.
static constexpr unsigned kDraws = 192, kSteps = 256;
static constexpr uint64_t kSeed = 0x5eed;

/// Rows of the output from end to end, a few vectors at a time: what streams
/// through memory best. The draft model sees elementwise work as bound by
/// bandwidth whatever the tiles, so it cannot choose for it.
std::optional<Schedule> SketchSpace::streamingMap() const {
  Schedule schedule = blank();
  auto outputDims = taskDesc.outputDims();
  if (outputDims.empty())
    return std::nullopt;
  unsigned row = outputDims.back();
  int64_t extent = taskDesc.anchorStatement().dims[row].extent;
  for (int64_t lanes : vectors)
    if (lanes <= extent)
      schedule.vector = std::max(schedule.vector, lanes);
  int64_t tile = schedule.vector;
  for (int64_t copies : {2, 4})
    if (extent % (schedule.vector * copies) == 0)
      tile = schedule.vector * copies;
  schedule.tiles[row][0] = (extent + tile - 1) / tile;
  schedule.tiles[row][1] = tile;
  if (checkSchedule(taskDesc, schedule, device))
    return std::nullopt;
  return schedule;
}

std::optional<Schedule> SketchSpace::defaultSchedule() const {
  if (sketch == Variant::CpuMap)
    if (std::optional<Schedule> schedule = streamingMap())
      return schedule;
  Random random(kSeed);
  std::optional<Schedule> best;
  double bestSeconds = 0;
  auto offer = [&](std::optional<Schedule> s) {
    if (!s)
      return;
    double seconds = psaSeconds(
        summarize(taskDesc, buildTiledProgram(taskDesc, *s)), device);
    if (!best || seconds < bestSeconds) {
      best = std::move(s);
      bestSeconds = seconds;
    }
  };
  for (unsigned i = 0; i < kDraws; ++i)
    offer(sample(random));
  for (unsigned i = 0; best && i < kSteps; ++i)
    offer(mutate(*best, random));
  return best;
}
