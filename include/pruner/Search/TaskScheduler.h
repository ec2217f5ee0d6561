//===- TaskScheduler.h - choose the task of the next round ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The task scheduler follows Ansor's gradient (OSDI 2020, section 6): the next
// round goes to the task that is expected to reduce the network's latency most.
// The latency is the weighted sum of the best times of the tasks.
//
// Where a part of the network has several forms, the latency counts the fastest
// one. A form remains a *candidate* while it would be as fast as the fastest
// one after the expected gain of the next round of each of its tasks (1/n of
// the time after n rounds). Tasks get rounds as if every candidate were
// executed. Tasks that only other forms call get none. After two rounds, a form
// that takes twice as long is dropped; after ten rounds, one that takes 11 %
// longer.

#ifndef PRUNER_SEARCH_TASKSCHEDULER_H
#define PRUNER_SEARCH_TASKSCHEDULER_H

#include "pruner/Search/NetworkPart.h"

#include "llvm/ADT/ArrayRef.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

struct ScheduledTask {
  /// How often the network calls the task.
  double weight = 1;
  double flops = 0;
  /// Tasks with the same tag are similar, so each may reach the speed of the
  /// others. See `similarityTag`.
  std::string tag;
};

/// Returns the kind of operation and the order of magnitude of its work:
/// floor(log_1.618(flops + 1)).
std::string similarityTag(const std::string &kind, double flops);

struct TaskSchedulerOptions {
  /// Weight of the task's recent gain relative to its possible gain.
  double alpha = 0.2;
  /// A task may become at most this many times as fast, per operation, as the
  /// fastest similar task.
  double beta = 2;
  /// Rounds over which the recent gain is computed.
  unsigned window = 3;
  /// Rounds that a task without any valid result gets before it has to wait.
  unsigned retries = 3;
  /// Rounds without gain after which a task ends; 0: never.
  unsigned patience = 0;
  /// All tasks get this many rounds, in rotation; 0: by gradient, without
  /// limit.
  unsigned roundsEach = 0;
};

class TaskScheduler {
public:
  /// In a network with choices, its calls replace the weights of the tasks.
  explicit TaskScheduler(std::vector<ScheduledTask> tasks,
                         TaskSchedulerOptions options = {},
                         NetworkPart network = {});

  /// Returns the task of the next round, or -1 if all tasks have ended or have
  /// had their rounds. Tasks without a round come first, in order.
  /// Deterministic. The unfinished round of the task \p underWay is assumed to
  /// gain nothing.
  int next(std::optional<unsigned> underWay = std::nullopt) const;

  /// Reports the best time of `task` after a round (infinity without a valid
  /// result).
  void report(unsigned task, double bestSeconds);

  /// Ends `task`: it gets no more rounds.
  void giveUp(unsigned task) { states[task].dead = true; }

  /// Returns the weighted sum of the best times, with the fastest forms;
  /// infinity if a task has none.
  double latency() const;
  unsigned rounds(unsigned task) const { return states[task].history.size(); }
  /// Returns the expected change of each task, in seconds per round. The task
  /// with the most negative value is next.
  std::vector<double> gradients() const;

private:
  struct State {
    /// The best time after each round.
    std::vector<double> history;
    bool dead = false;
    /// True if it stayed much slower than similar tasks; it is then not
    /// compared with them.
    bool alone = false;
    double best() const {
      return history.empty() ? std::numeric_limits<double>::infinity()
                             : history.back();
    }
  };
  int nextInRotation() const;
  /// The number of calls of each task in forms that are candidates.
  std::vector<double> weights() const;
  /// Seconds of `task` after its next round, as the gradient expects.
  double expectedSeconds(unsigned task) const;
  /// The expected change of the time of one call.
  double gradient(unsigned task) const;
  /// Returns the best operations per second among the other tasks with the same
  /// tag; 0 if there are none.
  double similarSpeed(unsigned task) const;
  void stopComparing(unsigned task);

  std::vector<ScheduledTask> tasks;
  std::vector<State> states;
  TaskSchedulerOptions options;
  NetworkPart network;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TASKSCHEDULER_H
