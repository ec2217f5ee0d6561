//===- TaskScheduler.h - which task gets the next round ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ansor's gradient (OSDI 2020, section 6): the task whose next round promises
// to lower the model's latency, the weighted sum of the tasks' best times,
// most.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_TASKSCHEDULER_H
#define PRUNER_SEARCH_TASKSCHEDULER_H

#include "llvm/ADT/ArrayRef.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

struct ScheduledTask {
  /// How often the model runs the task.
  double weight = 1;
  double flops = 0;
  /// Tasks of one kind; one task's speed is what others of its kind may reach.
  /// See `similarityTag`.
  std::string tag;
};

/// The kind of operation and the order of magnitude of its work:
/// floor(log_1.618(flops + 1)).
std::string similarityTag(const std::string &kind, double flops);

struct TaskSchedulerOptions {
  /// Weight of what the task gained lately against what it may still gain.
  double alpha = 0.2;
  /// A task may become this many times as fast, per operation, as its kin.
  double beta = 2;
  /// Rounds over which the recent gain is taken.
  unsigned window = 3;
  /// Rounds that a task without any valid result gets before it has to wait.
  unsigned retries = 3;
  /// A task is given up after so many rounds without gain; 0 = never.
  unsigned patience = 0;
  /// All tasks get so many rounds, in turns, whatever these gain; 0: tasks are
  /// chosen by their promise, without end.
  unsigned roundsEach = 0;
};

class TaskScheduler {
public:
  explicit TaskScheduler(std::vector<ScheduledTask> tasks,
                         TaskSchedulerOptions options = {});

  /// The task for the next round, or -1 when all are given up or have had their
  /// rounds. Tasks that had no round come first, in order. Deterministic. The
  /// round of a task that is \p underWay is taken to gain nothing.
  int next(std::optional<unsigned> underWay = std::nullopt) const;

  /// What a round of `task` left as the task's best time (infinity while
  /// nothing valid is known).
  void report(unsigned task, double bestSeconds);

  /// No more rounds for `task`: its space is exhausted.
  void giveUp(unsigned task) { states[task].dead = true; }

  /// Weighted sum of the best times; infinity while a task has none.
  double latency() const;
  unsigned rounds(unsigned task) const { return states[task].history.size(); }
  /// The promise of each task, in seconds per round: the most negative is next.
  std::vector<double> gradients() const;

private:
  struct State {
    /// The best time after each round.
    std::vector<double> history;
    bool dead = false;
    /// Much slower than its kin for long: not compared with it any more.
    bool alone = false;
    double best() const {
      return history.empty() ? std::numeric_limits<double>::infinity()
                             : history.back();
    }
  };
  int nextInTurn() const;
  double gradient(unsigned task) const;
  /// Best operations per second among the tasks of the same tag; 0 for a task
  /// that has no kin.
  double kinSpeed(unsigned task) const;
  void leaveKin(unsigned task);

  std::vector<ScheduledTask> tasks;
  std::vector<State> states;
  TaskSchedulerOptions options;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TASKSCHEDULER_H
