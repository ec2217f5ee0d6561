//===- Space.h - the legal schedules of a task ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What search draws from: the fillings of all sketches that fit the task.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SCHEDULE_SPACE_H
#define PRUNER_SCHEDULE_SPACE_H

#include "pruner/Schedule/SketchSpace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace pruner {

class ScheduleSpace {
public:
  /// The space of `task` on `machine`. Both are copied.
  ScheduleSpace(TaskDesc task, Machine machine, SpaceOptions options = {});

  const TaskDesc &task() const { return taskDesc; }
  const Machine &machine() const { return device; }
  /// The sketches that fit the task; at least one.
  llvm::ArrayRef<SketchSpace> sketches() const { return spaces; }

  /// Points of all sketches.
  double size() const;

  /// The point with that number, 0 <= index < size(), the sketches one after
  /// the other; nothing where it is not legal. Only for spaces that fit an
  /// integer (size() < 2^63).
  std::optional<Schedule> at(uint64_t index) const;

  /// A random legal schedule: of a sketch drawn by its share of the draws, as
  /// SketchSpace::sample draws it, or of another one if that finds none.
  std::optional<Schedule> sample(Random &random,
                                 RejectionStats *stats = nullptr) const;

  /// Draws schedules by sample() and hands each to \p take that was not drawn
  /// before. Ends with `count` of them, after four times as many draws, or when
  /// so many draws in a row gave nothing new that little can be left.
  void sampleDistinct(uint64_t count, Random &random,
                      llvm::function_ref<void(const Schedule &)> take) const;

  /// As in SketchSpace, among the schedules of the same sketch. Of parents of
  /// different sketches `crossover` gives one.
  std::optional<Schedule> mutate(const Schedule &schedule,
                                 Random &random) const;
  std::optional<Schedule> crossover(const Schedule &a, const Schedule &b,
                                    Random &random) const;
  std::vector<Schedule> neighbours(const Schedule &schedule) const;
  std::optional<Schedule> adopt(const Schedule &schedule) const;

  /// The schedule to use with no search at all: of the sketches' defaults the
  /// one that the draft model takes for the fastest. Deterministic.
  std::optional<Schedule> defaultSchedule() const;

  /// The knobs and the size of every sketch as text.
  std::string describe() const;

private:
  const SketchSpace &spaceOf(const Schedule &schedule) const;

  TaskDesc taskDesc;
  Machine device;
  std::vector<SketchSpace> spaces;
  /// How many of their sum of draws go to each sketch.
  std::vector<unsigned> shares;
};

} // namespace pruner

#endif // PRUNER_SCHEDULE_SPACE_H
