//===- Tuner.h - the tuning loop --------------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounds of propose, measure, record and learn, shared between the tasks of a
// model. Everything that a round decides follows from the options, the seed and
// the measurements recorded so far: the first N trials of a run are the same
// whatever the number of trials asked for, and a run that is started again on
// the same database goes on where it was stopped, at whichever point that was.
// Rounds are lib/Tune/Rounds.h; the tuner measures, stores and reports.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_TUNER_H
#define PRUNER_TUNE_TUNER_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/Measure/WorkerPool.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Certainty.h"
#include "pruner/Search/Search.h"
#include "pruner/Support/MeasureStatus.h"
#include "pruner/Support/Progress.h"
#include "pruner/Tune/ApplyRecords.h"
#include "pruner/Tune/TuneHooks.h"

namespace pruner {

class ObjectCache;
class Rounds;
struct RoundSlice;

struct TunerOptions {
  unsigned trials = 64;
  /// Measurements of each task, all in turns; 0: shared by gradient.
  unsigned trialsPerTask = 0;
  unsigned batch = 10;
  uint64_t seed = 0;
  std::string strategy = "draft-verify";
  /// What tells the weights that the model started from; empty for none.
  std::string weights;
  /// And what becomes of them; empty for what does by default.
  std::string adaptation;
  /// Whether the model is trained by what is measured.
  bool learns = true;
  /// When a task is measured no more.
  CertaintyOptions certainty;
  /// Seconds of everything up to the last trial; 0: none. The untuned defaults
  /// and the finals come behind.
  double timeLimit = 0;
  /// Only build candidates: there is no device to run them on. They are
  /// recorded as unmeasured, with their static facts.
  bool buildOnly = false;
  /// At the end time the best schedules of each task in turns.
  bool finals = true;
  /// Then let the best schedules compete in the network, and time it.
  bool network = true;
  TuneHooks hooks;
};

/// Seconds spent, by what for.
struct TimeSplit {
  double draft = 0, predict = 0, train = 0, build = 0, measure = 0, network = 0;
  RunCosts runs; ///< Of `measure`, what the runner tells.
  /// Of draft, predict and train, what was done while candidates ran, and how
  /// long nothing ran until it was done.
  double ahead = 0, waited = 0;
};

/// What the tuned network takes, seconds of one run.
struct NetworkOutcome {
  double seconds = 0;
  double taskSeconds = 0; ///< In calls of tasks.
};

/// What is known of one task at the end.
struct TaskOutcome {
  std::optional<double> defaultSeconds; ///< Of the untuned default.
  std::string defaultReason;            ///< Why there is none.
  /// How its measurement ended, if it was measured.
  std::optional<MeasureStatus> defaultStatus;
  /// Of what is applied: a schedule, or the default where that is kept.
  std::optional<double> bestSeconds;
  /// True if the default is applied, as no schedule was clearly faster.
  bool keptDefault = false;
  /// Of the best built candidate, without a device: predicted seconds and the
  /// static facts of its code.
  std::optional<double> predictedSeconds;
  llvm::json::Object facts;
  unsigned trials = 0, failed = 0;
};

/// Tunes tasks in one environment. Everything measured so far is in the
/// database, in the order it was measured, and the rounds are told it first.
class Tuner {
public:
  Tuner(std::vector<TuneTask> &tasks, const Environment &environment,
        Database &database, CostModel *model, WorkerPool &pool,
        TunerOptions options);
  ~Tuner();

  /// Runs until the trials are used up, then holds the finals. False if it was
  /// interrupted.
  llvm::Expected<bool> run();

  const std::vector<TaskOutcome> &outcomes() const { return results; }
  const TimeSplit &times() const { return split; }
  /// Nothing where there is no network, or it could not be run.
  const std::optional<NetworkOutcome> &network() const { return networkTimes; }
  unsigned newTrials() const { return fresh; }
  unsigned failedTrials() const { return failures; }

private:
  // Measuring (Tuner.cpp).
  llvm::Error measure(llvm::ArrayRef<RoundSlice> slices);
  llvm::Error measureDefaults();
  llvm::Error withoutWorker(llvm::StringRef reason);
  std::string progressNote(unsigned task) const;
  Progress::Options progressOptions() const;
  void tell(llvm::StringRef phase, unsigned stepsDone, unsigned total,
            std::optional<unsigned> task = std::nullopt) const;

  // Records (TunerRecords.cpp).
  llvm::Error replay();
  std::string replay(const Record &record, unsigned task);
  llvm::Expected<bool> store(llvm::ArrayRef<RoundSlice> slices,
                             llvm::ArrayRef<MeasureItem> items,
                             llvm::ArrayRef<MeasureResult> measured);
  llvm::Error append(unsigned task, llvm::ArrayRef<Record> records);
  void noteDefault(unsigned task, const Record &record);
  bool count(unsigned task, const Schedule &schedule, const Record &record);
  void notePrediction(unsigned task, const Record &record);
  MeasureJob job(const TuneTask &task) const;
  Record blankRecord(const TuneTask &task, llvm::StringRef schedule) const;
  std::string scheduleText(const Schedule &schedule) const;

  // Finals (Finals.cpp).
  llvm::Error holdFinals();
  llvm::Error holdFinal(unsigned task);
  llvm::Error readOutcomes();

  // Finals in the network (NetworkFinal.cpp).
  llvm::Error holdNetworkFinal();
  llvm::Expected<std::vector<NetworkLibrary>>
  networkLibraries(mlir::func::FuncOp network,
                   llvm::ArrayRef<std::vector<Record>> entrants,
                   ObjectCache &objects);
  llvm::Error storeNetworkFinal(llvm::ArrayRef<std::vector<Record>> entrants,
                                const NetworkReply &reply);

  std::vector<TuneTask> &tasks;
  Environment environment;
  Database &database;
  CostModel *model;
  WorkerPool &pool;
  TunerOptions options;
  std::string runId;
  std::vector<TaskOutcome> results;
  std::vector<std::optional<Record>> predictions;
  std::optional<NetworkOutcome> networkTimes;
  TimeSplit split;
  std::unique_ptr<Rounds> rounds;
  unsigned done = 0, fresh = 0, failures = 0;
  /// How often in a row no worker was to be had.
  unsigned dry = 0;
};

/// The same without a device: predictions and what the compiler says.
void printBuildReport(llvm::raw_ostream &os, llvm::ArrayRef<TuneTask> tasks,
                      llvm::ArrayRef<TaskOutcome> outcomes,
                      const TimeSplit &times);

/// Prints the final table. `peakFlops` is what one core can do at most, 0 if
/// that is not known.
void printReport(llvm::raw_ostream &os, llvm::ArrayRef<TuneTask> tasks,
                 const Environment &environment,
                 llvm::ArrayRef<TaskOutcome> outcomes,
                 const std::optional<NetworkOutcome> &network,
                 const TimeSplit &times, double peakFlops);

} // namespace pruner

#endif // PRUNER_TUNE_TUNER_H
