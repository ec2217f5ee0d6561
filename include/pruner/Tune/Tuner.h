//===- Tuner.h - the tuning loop --------------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_TUNER_H
#define PRUNER_TUNE_TUNER_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/Measure/WorkerPool.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Search.h"
#include "pruner/Search/TaskScheduler.h"
#include "pruner/Search/Training.h"
#include "pruner/Support/Progress.h"
#include "pruner/Tune/TuneTask.h"

namespace pruner {

struct TunerOptions {
  unsigned trials = 64;
  unsigned batch = 10;
  uint64_t seed = 0;
  std::string strategy = "draft-verify";
  double timeLimit = 0; ///< Seconds; 0: none.
  /// Only build candidates: there is no device to run them on. They are
  /// recorded as unmeasured, with their static facts.
  bool buildOnly = false;
};

/// Seconds spent, by what for.
struct TimeSplit {
  double draft = 0, predict = 0, train = 0, build = 0, measure = 0;
};

/// What is known of one task at the end.
struct TaskOutcome {
  std::optional<double> defaultSeconds; ///< Of the untuned default.
  std::string defaultReason;            ///< Why there is none.
  std::optional<double> bestSeconds;
  /// Of the best built candidate, without a device: predicted seconds and the
  /// static facts of its code.
  std::optional<double> predictedSeconds;
  llvm::json::Object facts;
  unsigned trials = 0, failed = 0;
};

/// Tunes tasks in one environment. Everything measured so far is in the
/// database, in the order it was measured, and is replayed first: search,
/// training data and task scheduler are then where they were.
class Tuner {
public:
  Tuner(std::vector<TuneTask> &tasks, const Environment &environment,
        Database &database, CostModel *model, WorkerPool &pool,
        TunerOptions options);
  ~Tuner();

  /// Runs until the trials are used up. False if it was interrupted.
  llvm::Expected<bool> run();

  const std::vector<TaskOutcome> &outcomes() const { return results; }
  const TimeSplit &times() const { return split; }
  unsigned newTrials() const { return fresh; }
  unsigned failedTrials() const { return failures; }

private:
  struct Session;
  llvm::Error replay();
  llvm::Error measureDefaults();
  llvm::Error round(unsigned task);
  void addDefault(unsigned task, const Schedule &schedule,
                  std::vector<Candidate> &candidates);
  llvm::Error store(unsigned task, llvm::ArrayRef<Candidate> candidates,
                    llvm::ArrayRef<std::string> schedules,
                    llvm::ArrayRef<MeasureResult> measured);
  void notePrediction(unsigned task, const Record &record);
  MeasureJob job(const TuneTask &task) const;
  Record blankRecord(const TuneTask &task) const;
  void train();
  std::string progressNote(unsigned task) const;

  std::vector<TuneTask> &tasks;
  Environment environment;
  Database &database;
  CostModel *model;
  WorkerPool &pool;
  TunerOptions options;
  std::string runId;
  std::vector<std::unique_ptr<Session>> sessions;
  std::unique_ptr<TaskScheduler> scheduler;
  TrainingData training;
  std::vector<TaskOutcome> results;
  std::vector<std::optional<Record>> predictions;
  TimeSplit split;
  unsigned done = 0, fresh = 0, failures = 0;
};

/// The same without a device: predictions and what the compiler says.
void printBuildReport(llvm::raw_ostream &os, llvm::ArrayRef<TuneTask> tasks,
                      llvm::ArrayRef<TaskOutcome> outcomes,
                      const TimeSplit &times);

/// Prints the final table.
void printReport(llvm::raw_ostream &os, llvm::ArrayRef<TuneTask> tasks,
                 const Environment &environment,
                 llvm::ArrayRef<TaskOutcome> outcomes, const TimeSplit &times,
                 double peakFlops);

} // namespace pruner

#endif // PRUNER_TUNE_TUNER_H
