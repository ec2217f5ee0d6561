//===- Explain.h - explain the choice of a schedule -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Explains the schedule of a task from a tuning database and the analytical
// model: what limits it, what its neighbors in the space would change, how the
// next best schedule differs, and how certain the choice is.
//
// There are three kinds of times, in seconds per call. *Predicted* times are
// those of the analytical model and comparable only with each other. Times of
// *trials* were measured one schedule after the other. Times of a *head-to-head
// comparison* (`final`) were measured interleaved, alone or in the network. The
// latest comparison decides if there is one (Record/Choice.h).

#ifndef PRUNER_EXPLAIN_EXPLAIN_H
#define PRUNER_EXPLAIN_EXPLAIN_H

#include "pruner/Analysis/Psa.h"
#include "pruner/Explain/Subject.h"
#include "pruner/Measure/WorkerPool.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Sketch/Violation.h"

#include <map>

namespace pruner {

/// The measurements of one schedule.
struct Measured {
  unsigned trials = 0;
  std::optional<double> trialSeconds; ///< The least median of its trials.
  std::optional<double> finalSeconds; ///< In the deciding comparison.
  std::optional<double> spread;       ///< See timeSpread; of that measurement.
  unsigned times = 0;                 ///< Number of times of it.
  /// The last failure and its reason; Ok if there was none.
  MeasureStatus failure = MeasureStatus::Ok;
  std::string reason;

  bool known() const { return trials > 0 || finalSeconds; }
};

struct StatementView {
  std::string name; ///< "update acc".
  StatementPsa psa;
  std::string limit; ///< As text.
};

/// Static facts of the machine code by name ("code.hot_loop.loads").
struct CodeView {
  std::map<std::string, double> facts;
  /// "recorded", "built now", or the reason why there are none.
  std::string source;
};

/// A schedule with its predictions, measurements and facts.
struct ScheduleView {
  std::string text; ///< As in IR.
  Schedule schedule;
  double predictedSeconds = 0;
  std::vector<StatementView> statements;
  Measured measured;
  CodeView code;
};

/// A value that differs between two schedules; empty for a schedule without it.
struct Difference {
  std::string what;
  std::optional<double> best, other;
};

/// A schedule compared with the best one.
struct Comparison {
  ScheduleView view;
  std::string change; ///< Changes from the best one.
  std::vector<Difference> symbols, facts;
};

struct Neighbor {
  std::string text, change;
  double predictedSeconds = 0;
  Measured measured;
};

struct Neighbors {
  size_t legal = 0, predictedFaster = 0, measured = 0;
  /// The nearest ones by prediction on both sides of the schedule, and all
  /// measured ones; in order of their predictions.
  std::vector<Neighbor> shown;
};

/// The evidence for the choice.
struct Certainty {
  unsigned trials = 0, failed = 0, schedules = 0;
  double space = 0; ///< Points of the space.
  /// "network-final", "final", "trial" or "prediction".
  std::string decidedBy;
  /// Turns of that comparison, and how many of them the best schedule won
  /// against the runner-up.
  unsigned turns = 0, won = 0;
  /// Median time of the runner-up divided by that of the best one.
  std::optional<double> lead;
  bool clear = false; ///< See clearlyFaster.
  /// Rank correlations (Spearman) of predicted and measured times of trials,
  /// and of the learned model's scores with speeds, each with the number of
  /// pairs. Empty for fewer than four pairs, or if one side does not vary.
  std::optional<double> draftRank, scoreRank;
  unsigned drafted = 0, scored = 0;
  /// The rank of the best one among the measured schedules by prediction, from
  /// 1; 0 if it was not measured.
  unsigned predictedPlace = 0;
};

/// The answer to --why-not for one schedule.
struct WhyNot {
  std::string text;
  MaybeViolation broken;
  /// Set if it is legal.
  std::optional<Comparison> comparison;
};

struct Explanation {
  std::string task, key, target, machine, options, cacheState;
  double flops = 0, bytes = 0;
  size_t records = 0, otherConditions = 0;
  bool current = false;
  /// False if the untuned default is kept, because nothing is clearly faster.
  bool applied = true;
  std::optional<double> seconds, defaultSeconds;
  Record record; ///< The applied record, if any.
  ScheduleView best;
  Neighbors neighbors;
  std::optional<Comparison> runnerUp;
  Certainty certainty;
  std::vector<WhyNot> whyNot;
};

struct ExplainOptions {
  /// Schedules of --why-not, as in IR.
  std::vector<std::string> whyNot;
  /// Number of neighbors shown on each side.
  unsigned neighbors = 3;
  /// Workers that build schedules without recorded facts; null to build none.
  WorkerPool *pool = nullptr;
};

/// Explains the schedule of a task. Fails if a text is not a schedule, or if no
/// record has a schedule that can be applied.
llvm::Expected<Explanation> explain(const Subject &subject,
                                    const ExplainOptions &options);

/// Prints an explanation as text, about forty lines for each task.
void print(const Explanation &explanation, llvm::raw_ostream &os);
llvm::json::Object toJson(const Explanation &explanation);

/// Returns the changes from `from` to `to`: "d0 core 4 -> 8, unroll 1 -> 4".
std::string describeChange(const TaskDesc &task, const Schedule &from,
                           const Schedule &to);

} // namespace pruner

#endif // PRUNER_EXPLAIN_EXPLAIN_H
