//===- Sketch.cpp - a fixed nesting of tile levels ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Sketch/Sketch.h"
#include "Registry.h"
#include "ResourceCounter.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using detail::broken;
using detail::text;

llvm::ArrayRef<const Sketch *> pruner::allSketches() {
  static const Sketch *const all[] = {&cpuTile(),  &cpuMap(),  &cpuRow(),
                                      &simtTile(), &simtMap(), &simtRow()};
  return all;
}

const Sketch &pruner::sketchOf(const Schedule &schedule) {
  return *allSketches()[unsigned(schedule.sketch)];
}

const Sketch *pruner::findSketch(llvm::StringRef name) {
  for (const Sketch *sketch : allSketches())
    if (sketch->name == name)
      return sketch;
  return nullptr;
}

TiledProgram pruner::buildTiledProgram(const TaskDesc &task,
                                       const Schedule &schedule) {
  return sketchOf(schedule).build(task, schedule);
}

ScheduleResources pruner::resourcesOf(const TaskDesc &task,
                                      const Schedule &schedule) {
  ResourceCounter counter(task, schedule);
  sketchOf(schedule).count(counter);
  return counter.used;
}

llvm::SmallVector<int64_t, 6>
Sketch::registerTile(const TaskDesc &task, const Schedule &schedule) const {
  llvm::SmallVector<int64_t, 6> tile;
  for (unsigned d : task.outputDims())
    tile.push_back(schedule.tiles[d][registerLevel()]);
  return tile;
}

MaybeViolation Sketch::fitsRows(const TaskDesc &task, bool rows) const {
  if (rows == task.rows)
    return std::nullopt;
  return broken(1, "variant " + name.str() + " is " + (rows ? "" : "not ") +
                       "for chains over rows, the task is " +
                       (rows ? "none" : "one"));
}

MaybeViolation Sketch::fitsAnchor(const TaskDesc &task, bool reduction) const {
  if (MaybeViolation result = fitsRows(task, false))
    return result;
  if (reduction != task.hasReduction())
    return broken(1, "variant " + name.str() + " needs an anchor " +
                         (reduction ? "with" : "without") +
                         " reduction dimensions, the task has one " +
                         (reduction ? "without" : "with"));
  if (!reduction && (task.epilogue >= 0 || task.hasPrologue()))
    return broken(1, "variant " + name.str() +
                         " runs one statement, the task has " +
                         text(task.statements.size()));
  return std::nullopt;
}
