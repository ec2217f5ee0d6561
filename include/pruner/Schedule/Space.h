//===- Space.h - the legal schedules of a task ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule space of a task: the legal schedules of all sketches that fit
// it.

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

  /// Returns the number of points of all sketches.
  double size() const;

  /// Returns the point with this number, 0 <= index < size(), one sketch after
  /// the other; nothing if it is illegal. Only for spaces whose size fits an
  /// integer (size() < 2^63).
  std::optional<Schedule> at(uint64_t index) const;

  /// Returns a random legal schedule: draws a sketch by its share, then a
  /// schedule with SketchSpace::sample; tries the other sketches if that fails.
  std::optional<Schedule> sample(Random &random,
                                 RejectionStats *stats = nullptr) const;

  /// Draws schedules with sample() and passes each new one to \p take. Ends
  /// after `count` new schedules, after four times as many draws, or after a
  /// number of draws without a new schedule that shows that few can be left.
  void sampleDistinct(uint64_t count, Random &random,
                      llvm::function_ref<void(const Schedule &)> take) const;

  /// Like those of SketchSpace, within the same sketch. `crossover` of
  /// different sketches returns one of the parents.
  std::optional<Schedule> mutate(const Schedule &schedule,
                                 Random &random) const;
  std::optional<Schedule> crossover(const Schedule &a, const Schedule &b,
                                    Random &random) const;
  std::vector<Schedule> neighbors(const Schedule &schedule) const;
  std::optional<Schedule> adopt(const Schedule &schedule) const;

  /// Returns the schedule to use without a search: the sketch default that the
  /// analytical model predicts to be fastest. Deterministic.
  std::optional<Schedule> defaultSchedule() const;

  /// Returns the knobs and the size of every sketch as text.
  std::string describe() const;

private:
  const SketchSpace &spaceOf(const Schedule &schedule) const;

  TaskDesc taskDesc;
  Machine device;
  std::vector<SketchSpace> spaces;
  /// The share of the draws of each sketch, relative to their sum.
  std::vector<unsigned> shares;
};

} // namespace pruner

#endif // PRUNER_SCHEDULE_SPACE_H
