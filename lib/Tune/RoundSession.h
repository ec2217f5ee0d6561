//===- RoundSession.h - the state of one task in a tuning run ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_ROUNDSESSION_H
#define PRUNER_LIB_TUNE_ROUNDSESSION_H

#include "Rounds.h"

namespace pruner {

/// A task's schedule space and search, and its current round.
struct Rounds::Session {
  Session(const ModuleTask &task, const Machine &machine)
      : space(task.desc, machine) {}

  ScheduleSpace space;
  std::unique_ptr<CostModel> model; ///< With timed predictions; may be null.
  std::unique_ptr<TaskSearch> search;

  std::optional<double> best; ///< Seconds of the fastest verified trial.

  /// Whether the candidates of the current round are proposed.
  bool proposed = false;
  /// Candidates of the current round that are not measured yet, in order.
  std::vector<Trial> pending;
  /// The number of pending candidates that next() returned.
  size_t handedOut = 0;
  /// The measured candidates of the current round.
  std::vector<Trial> measured;
  /// The trials of a complete round that was not reported yet.
  std::vector<Trial> unreported;
  /// Best time at the end of that round, in seconds; infinity if there is none.
  double bestAtRoundEnd = std::numeric_limits<double>::infinity();
  /// Whether the first round is complete, or there is none.
  bool warm = false;

  /// Number of the current round, or of the next one if none is proposed.
  unsigned round() const { return search->rounds() - (proposed ? 1 : 0); }
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_ROUNDSESSION_H
