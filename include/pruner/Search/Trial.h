//===- Trial.h - one schedule from proposal to training ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SEARCH_TRIAL_H
#define PRUNER_SEARCH_TRIAL_H

#include "pruner/Sketch/Schedule.h"

#include <optional>

namespace pruner {

/// A schedule of a task. A search proposes it with predictions; a measurement
/// adds the result; then it trains the learned model.
struct Trial {
  Schedule schedule;
  unsigned task = 0;   ///< Number of the task in the run.
  unsigned round = 0;  ///< Number of the task's round, from 0.
  bool random = false; ///< Whether it was drawn at random.

  /// Predicted seconds by the analytical model; 0 if unknown.
  double draftSeconds = 0;
  /// Score of the learned model (larger is faster); empty without one.
  std::optional<float> score;

  /// Measured seconds of one run; empty if building or running failed, or if
  /// the result was wrong.
  std::optional<double> seconds;
  /// Whether the result was verified. If not, the trial is never the best of
  /// its task.
  bool verified = false;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TRIAL_H
