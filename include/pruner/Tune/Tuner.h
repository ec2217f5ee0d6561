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
//
// A round is a batch of candidates of one task. The first rounds of all tasks
// are measured side by side, in growing parts (1, 1, 2, 4, ... candidates), so
// that few trials still reach every task; the model learns nothing before they
// are complete. After them one round follows the other.
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
#include "pruner/Tune/ApplyRecords.h"

#include "llvm/ADT/BitVector.h"

namespace pruner {

struct TunerOptions {
  unsigned trials = 64;
  unsigned batch = 10;
  uint64_t seed = 0;
  std::string strategy = "draft-verify";
  /// What tells the weights that the model started from; empty for none.
  std::string weights;
  /// Seconds of everything up to the last trial; 0: none.
  double timeLimit = 0;
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
/// database, in the order it was measured, and is replayed first: search, model
/// and task scheduler are then where they were.
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
  unsigned newTrials() const { return fresh; }
  unsigned failedTrials() const { return failures; }

private:
  struct Session;
  struct PastRound;
  /// Candidates of one task to measure at once; task -1: there are none left.
  struct Slice {
    int task = -1;
    unsigned count = 0;
  };

  // Rounds (Tuner.cpp).
  Slice nextSlice();
  llvm::Error measure(Slice slice);
  void propose(unsigned task);
  void finishRound(unsigned task);
  void endWarmUp();
  void learn(unsigned task, std::optional<double> best);
  void train();
  llvm::Error measureDefaults(double deadline);
  std::string progressNote(unsigned task) const;

  // Records (TunerRecords.cpp).
  llvm::Error replay();
  llvm::Expected<std::vector<PastRound>> readRounds();
  void repeatTraining();
  llvm::Expected<llvm::BitVector> store(unsigned task,
                                        llvm::ArrayRef<Candidate> candidates,
                                        llvm::ArrayRef<std::string> schedules,
                                        llvm::ArrayRef<MeasureResult> measured);
  llvm::Error withoutWorker(llvm::StringRef reason);
  bool count(unsigned task, const Record &record);
  void notePrediction(unsigned task, const Record &record);
  MeasureJob job(const TuneTask &task) const;
  Record blankRecord(const TuneTask &task, llvm::StringRef schedule) const;
  std::string scheduleText(const Schedule &schedule) const;

  // Finals (Finals.cpp).
  llvm::Error holdFinals();
  llvm::Error holdFinal(unsigned task);
  llvm::Error readOutcomes();

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
  /// How many measurements each training had.
  std::vector<size_t> lessons;
  std::vector<TaskOutcome> results;
  std::vector<std::optional<Record>> predictions;
  TimeSplit split;
  bool warmingUp = true;
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
                 llvm::ArrayRef<TaskOutcome> outcomes, const TimeSplit &times,
                 double peakFlops);

} // namespace pruner

#endif // PRUNER_TUNE_TUNER_H
