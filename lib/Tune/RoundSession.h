//===- RoundSession.h - a task in a tuning run ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_ROUNDSESSION_H
#define PRUNER_LIB_TUNE_ROUNDSESSION_H

#include "Rounds.h"

namespace pruner {

/// A task's space and search, and the round that is under way.
struct Rounds::Session {
  Session(const TuneTask &task, const Machine &machine)
      : space(task.desc, machine) {}

  ScheduleSpace space;
  std::unique_ptr<CostModel> model; ///< As the search sees it; may be null.
  std::unique_ptr<SearchStrategy> search;

  std::optional<double> best; ///< Seconds of the best verified trial.

  /// Whether the present round's candidates are known.
  bool proposed = false;
  /// Those of them that are not measured yet, in order.
  std::vector<Candidate> pending;
  /// So many of these, from the first, are in the slices that are made.
  size_t handedOut = 0;
  /// What became of the others.
  std::vector<Observation> measured;
  /// What became of a complete round of which nothing was told yet.
  std::vector<Observation> waiting;
  /// And the best after it, seconds; infinity if there is none.
  double bestThen = std::numeric_limits<double>::infinity();
  /// The first round is complete, or there is none.
  bool warm = false;

  /// Of the round that is under way, or of the next.
  unsigned round() const { return search->rounds() - (proposed ? 1 : 0); }
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_ROUNDSESSION_H
