//===- Explain.h - why a schedule, and why not another ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tuning database and the analytical model say of a task's schedule:
// what holds it back, what its neighbours in the space would change, how the
// next best one differs, and how much all of it is worth.
//
// Three kinds of time occur. *Predicted* ones are the analytical model's, and
// compare with one another only. Times of *trials* were taken one schedule
// after the other, those of a *final* in turns, alone or in the network; the
// winner is that of the latest final where there is one (Record/Choice.h).
// Seconds are of one call.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_EXPLAIN_EXPLAIN_H
#define PRUNER_EXPLAIN_EXPLAIN_H

#include "pruner/Analysis/Psa.h"
#include "pruner/Explain/Subject.h"
#include "pruner/Measure/WorkerPool.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Sketch/Violation.h"

#include <map>

namespace pruner {

/// What the records say of one schedule.
struct Measured {
  unsigned trials = 0;
  std::optional<double> trialSeconds; ///< The least median of its trials.
  std::optional<double> finalSeconds; ///< In the final that decided.
  std::optional<double> spread;       ///< See timeSpread; of that measurement.
  unsigned times = 0;                 ///< How many times that one has.
  /// The last failure, and its reason; Ok if there was none.
  MeasureStatus failure = MeasureStatus::Ok;
  std::string reason;

  bool known() const { return trials > 0 || finalSeconds; }
};

struct StatementView {
  std::string name; ///< "update acc".
  StatementPsa psa;
  std::string limit; ///< In words.
};

/// Counts of the machine code by their names in static facts
/// ("code.hot_loop.loads").
struct CodeView {
  std::map<std::string, double> facts;
  /// "recorded", "built now", or why there are none.
  std::string source;
};

/// A schedule with all that is known of it.
struct ScheduleView {
  std::string text; ///< As IR spells it.
  Schedule schedule;
  double predictedSeconds = 0;
  std::vector<StatementView> statements;
  Measured measured;
  CodeView code;
};

/// A value that two schedules do not share; nothing where one has none.
struct Difference {
  std::string what;
  std::optional<double> best, other;
};

/// A schedule beside the best one.
struct Comparison {
  ScheduleView view;
  std::string change; ///< What is set otherwise than in the best one.
  std::vector<Difference> symbols, facts;
};

struct Neighbour {
  std::string text, change;
  double predictedSeconds = 0;
  Measured measured;
};

struct Neighbours {
  size_t legal = 0, predictedFaster = 0, measured = 0;
  /// The next ones on both sides of the prediction for the schedule, and all
  /// that were measured; by their predictions.
  std::vector<Neighbour> shown;
};

/// How far to believe it.
struct Certainty {
  unsigned trials = 0, failed = 0, schedules = 0;
  double space = 0; ///< Points of the space.
  /// "network-final", "final", "trial" or "prediction".
  std::string decidedBy;
  /// Of that final: turns, and how many of them the best one won against the
  /// runner-up.
  unsigned turns = 0, won = 0;
  /// Median of the runner-up over that of the best one.
  std::optional<double> lead;
  bool clear = false; ///< See clearlyFaster.
  /// Rank correlations (Spearman) of the predicted and the measured times of
  /// trials, and of the learned model's scores with speeds, each with the
  /// number of pairs; nothing for fewer than four, or where
  /// one side does not vary.
  std::optional<double> draftRank, scoreRank;
  unsigned drafted = 0, scored = 0;
  /// The place of the best one among the measured schedules by prediction,
  /// from 1; 0: not among them.
  unsigned predictedPlace = 0;
};

/// An answer to "why not this one".
struct WhyNot {
  std::string text;
  MaybeViolation broken;
  /// If it is legal.
  std::optional<Comparison> comparison;
};

struct Explanation {
  std::string task, key, target, machine, options, cacheState;
  double flops = 0, bytes = 0;
  size_t records = 0, elsewhere = 0;
  bool current = false;
  /// False if the untuned default is kept, since nothing beats it clearly.
  bool applied = true;
  std::optional<double> seconds, defaultSeconds;
  Record record; ///< What is applied, if anything is.
  ScheduleView best;
  Neighbours neighbours;
  std::optional<Comparison> runnerUp;
  Certainty certainty;
  std::vector<WhyNot> whyNot;
};

struct ExplainOptions {
  /// Schedules to say "why not" of, as IR spells them.
  std::vector<std::string> whyNot;
  /// Neighbours shown on each side.
  unsigned neighbours = 3;
  /// Workers that build what has no recorded facts; null: none are built.
  WorkerPool *pool = nullptr;
};

/// Explains the schedule of a task. An error: a text that is no schedule, or no
/// record of a schedule that could be applied.
llvm::Expected<Explanation> explain(const Subject &subject,
                                    const ExplainOptions &options);

/// For people, at most some forty lines a task.
void print(const Explanation &explanation, llvm::raw_ostream &os);
llvm::json::Object toJson(const Explanation &explanation);

/// "d0 core 4 -> 8, unroll 1 -> 4": what `to` sets otherwise than `from`.
std::string describeChange(const TaskDesc &task, const Schedule &from,
                           const Schedule &to);

} // namespace pruner

#endif // PRUNER_EXPLAIN_EXPLAIN_H
