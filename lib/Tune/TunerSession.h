//===- TunerSession.h - what a tuner keeps of one task ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_TUNERSESSION_H
#define PRUNER_LIB_TUNE_TUNERSESSION_H

#include "pruner/Tune/Tuner.h"

#include <chrono>

namespace pruner {

/// Adds the seconds of its scope to a counter.
class Stopwatch {
public:
  explicit Stopwatch(double &counter) : counter(counter), start(now()) {}
  ~Stopwatch() { counter += now() - start; }

  /// Seconds of a clock that never goes back.
  static double now() {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

private:
  double &counter;
  double start;
};

/// A task's space and search, and the round that is under way.
struct Tuner::Session {
  Session(const TuneTask &task, const Environment &environment)
      : space(task.desc, environment.machine) {}

  ScheduleSpace space;
  std::unique_ptr<CostModel> model; ///< As the search sees it; may be null.
  std::unique_ptr<SearchStrategy> search;

  /// Whether the present round's candidates are known.
  bool proposed = false;
  /// Those of them that are not measured yet, in order.
  std::vector<Candidate> pending;
  /// What became of the others.
  std::vector<Observation> measured;
  /// The first round is complete, or there is none.
  bool warm = false;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_TUNERSESSION_H
