//===- ShapeRules.cpp - rules that need no machine ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuleChecker.h"
#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/Knob.h"
#include "pruner/Support/Sizes.h"

using namespace pruner;
using detail::broken;
using detail::text;

MaybeViolation RuleChecker::shape() {
  if (MaybeViolation result = sketch.fits(task))
    return result;
  if (MaybeViolation result = tileLists())
    return result;
  if (MaybeViolation result = factorCounts())
    return result;
  auto knobs = [&](bool beforeTiles) -> MaybeViolation {
    for (const Knob *knob : allKnobs())
      if (knob->has(Knob::BeforeTiles) == beforeTiles)
        if (MaybeViolation result = knob->check(task, schedule))
          return result;
    return std::nullopt;
  };
  if (MaybeViolation result = knobs(/*beforeTiles=*/true))
    return result;
  if (MaybeViolation result = tripsNotEmpty())
    return result;
  if (MaybeViolation result = sketch.check(task, schedule))
    return result;
  return knobs(/*beforeTiles=*/false);
}

MaybeViolation RuleChecker::tileLists() {
  if (schedule.tiles.size() == task.dims().size())
    return std::nullopt;
  return broken(2, text(schedule.tiles.size()) +
                       " lists of tile factors, the " +
                       (task.joinsProducts() ? "task" : "anchor") + " has " +
                       text(task.dims().size()) + " dimensions");
}

MaybeViolation RuleChecker::factorCounts() {
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    size_t wanted = sketch.levels(task.kindOf(d)).size();
    if (schedule.tiles[d].size() != wanted)
      return broken(3, "dimension " + text(d) + " has " +
                           text(schedule.tiles[d].size()) + " tile factors, " +
                           sketch.name.str() + " takes " + text(wanted));
    for (int64_t factor : schedule.tiles[d])
      if (factor < 1)
        return broken(3, "dimension " + text(d) + " has the tile factor " +
                             text(factor) + ", the least is 1");
  }
  return std::nullopt;
}

static int64_t roundUp(int64_t extent, int64_t unit) {
  int64_t whole = ceilDiv(extent, unit);
  return whole <= INT64_MAX / unit ? whole * unit : extent;
}

MaybeViolation RuleChecker::tripsNotEmpty() {
  std::optional<InstructionUse> use = instructionUse(task, schedule),
                                second = instructionUseOfSecond(task, schedule);
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    int64_t extent = task.dims()[d].extent, inside = 1;
    const auto &tiles = schedule.tiles[d];
    // The smallest tile of a warp is a whole product.
    if (use && WarpInstruction::of(use->instruction)) {
      if (d == use->rowDim)
        extent = roundUp(extent, use->instruction->rows);
      else if (vectorDimension(task, schedule) == d)
        extent = roundUp(extent, WarpInstruction::kColumns);
    }
    for (unsigned level = tiles.size(); level-- > 0;) {
      // A factor of 1 fits any extent. The check avoids slow divisions.
      if (tiles[level] == 1)
        continue;
      int64_t limit = ceilDiv(extent, inside);
      if (level + 1 == tiles.size())
        if (int64_t unit = innermostUnit(task, schedule, use, second, d))
          limit = roundUp(limit, unit);
      if (tiles[level] > limit)
        return broken(4, "factor " + text(tiles[level]) + " at level " +
                             text(level) + " of dimension " + text(d) +
                             " runs past the end: extent " + text(extent) +
                             " holds " + text(limit) + " tiles of " +
                             text(inside));
      inside *= tiles[level];
    }
  }
  return std::nullopt;
}
