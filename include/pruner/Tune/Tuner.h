//===- Tuner.h - the tuning loop --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner runs rounds for the tasks of a model: propose candidates, measure
// them, record the results, train the learned model. Every decision follows
// from the options, the seed and the measurements recorded so far. Therefore
// the first N trials do not depend on the number of trials, and a run that is
// started again on the same database continues where it stopped.
// lib/Tune/Rounds.h decides what to measure; the tuner measures, stores and
// reports.

#ifndef PRUNER_TUNE_TUNER_H
#define PRUNER_TUNE_TUNER_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/Measure/WorkerPool.h"
#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Certainty.h"
#include "pruner/Search/NetworkPart.h"
#include "pruner/Search/Strategy.h"
#include "pruner/Support/MeasureStatus.h"
#include "pruner/Support/Progress.h"
#include "pruner/TaskRecords/TaskRecords.h"
#include "pruner/Tune/TuneHooks.h"

namespace pruner {

class RecordCheck;
class Rounds;
struct NetworkVariant;
struct RunIdentity;

struct TunerOptions {
  unsigned trials = 64;
  /// Measurements of each task, in rotation; 0: shared by gradient.
  unsigned trialsPerTask = 0;
  unsigned batch = 10;
  uint64_t seed = 0;
  const SearchStrategy *strategy = &strategies::draftVerify();
  /// Hash of the weights that the model started from; empty without weights.
  std::string weights;
  /// How they are adapted; empty for the default.
  std::string adaptation;
  /// Whether the model is trained during the run.
  bool learns = true;
  /// When tuning of a task stops before its trials are used up.
  CertaintyOptions certainty;
  /// The relaxations that the module allows, as a list; part of the identity of
  /// the run.
  std::string accuracy;
  /// Seconds after which no trial starts; 0: no limit. The untuned defaults and
  /// the head-to-head comparisons are not included.
  double timeLimit = 0;
  /// Only build candidates, because there is no device. They are recorded as
  /// unmeasured, with their static facts.
  bool buildOnly = false;
  /// Then compare what they compute in the PTX machine with the reference, with
  /// at most about this many instructions of warps each; 0: do not.
  int64_t emulate = 0;
  /// Compare the best schedules of each task at the end, timed interleaved.
  bool compareFinalists = true;
  /// Then compare the best schedules inside the network, and time it.
  bool network = true;
  /// Choose the fastest form of each part with several forms, before that.
  bool chooseForms = true;
  TuneHooks hooks;
};

/// Seconds spent in each part of the run.
struct TimeSplit {
  double draft = 0, predict = 0, train = 0, build = 0, measure = 0, network = 0;
  RunCosts runs; ///< Parts of `measure`, as the runner reports.
  /// The part of draft, predict and train that overlapped with running
  /// candidates, and the time in which nothing ran until it was finished.
  double overlapped = 0, waited = 0;
};

/// Seconds of one run of the tuned network.
struct NetworkOutcome {
  double seconds = 0;
  double taskSeconds = 0; ///< The part spent in calls of tasks.
};

/// The result of one task.
struct TaskOutcome {
  std::optional<double> defaultSeconds; ///< Time of the untuned default.
  std::string defaultReason;            ///< Why it has no time.
  /// The status of the default, if it was measured.
  std::optional<MeasureStatus> defaultStatus;
  /// Time of the applied schedule, or of the default if that is kept.
  std::optional<double> bestSeconds;
  CallTimes callTimes; ///< Of the same.
  /// True if the default is kept, because no schedule was clearly faster.
  bool keptDefault = false;
  /// Without a device: predicted seconds and static facts of the best built
  /// candidate.
  std::optional<double> predictedSeconds;
  llvm::json::Object facts;
  unsigned trials = 0, failed = 0;
};

/// The times of one call of each task.
std::vector<CallTimes> callTimes(llvm::ArrayRef<TaskOutcome> outcomes);

/// Seconds of one call of each task outside of the network; infinity if
/// unknown.
std::vector<double> secondsAlone(llvm::ArrayRef<TaskOutcome> outcomes);

/// Tunes tasks in one environment. The database holds all measurements in the
/// order in which they were made. A resumed run first replays them.
class Tuner {
public:
  Tuner(std::vector<ModuleTask> &tasks, const Environment &environment,
        Database &database, CostModel *model, WorkerPool &pool,
        TunerOptions options);
  ~Tuner();

  /// Runs until the trials are used up, then compares the best schedules.
  /// Returns false if it was interrupted.
  llvm::Expected<bool> run();

  const std::vector<TaskOutcome> &outcomes() const { return results; }
  const TimeSplit &times() const { return split; }
  /// Empty if there is no network or it could not be run.
  const std::optional<NetworkOutcome> &network() const { return networkTimes; }
  unsigned newTrials() const { return fresh; }
  unsigned failedTrials() const { return failures; }

private:
  // Measuring (Tuner.cpp).
  RunIdentity identity() const;
  llvm::Error measure(llvm::ArrayRef<Trial> trials);
  llvm::Error measureDefaults();
  llvm::Error waitForWorker(llvm::StringRef reason);
  std::string progressNote(unsigned task) const;
  Progress::Options progressOptions() const;
  void reportStatus(llvm::StringRef phase, unsigned stepsDone, unsigned total,
                    std::optional<unsigned> task = std::nullopt) const;

  // Records (TunerRecords.cpp).
  llvm::Error replay();
  std::string replay(const Record &record, unsigned task, RecordCheck &check);
  llvm::Expected<bool> store(llvm::ArrayRef<Trial> trials,
                             llvm::ArrayRef<MeasureItem> items,
                             llvm::ArrayRef<MeasureResult> measured);
  llvm::Error append(unsigned task, llvm::ArrayRef<Record> records);
  void noteDefault(unsigned task, const Record &record);
  Record recordOf(const Trial &trial, llvm::StringRef schedule,
                  const MeasureResult &result) const;
  Trial trialOf(unsigned task, const Schedule &schedule,
                const Record &record) const;
  bool count(const Trial &trial, const Record &record);
  void notePrediction(unsigned task, const Record &record);
  MeasureJob job(const ModuleTask &task) const;
  Record blankRecord(const ModuleTask &task, llvm::StringRef schedule) const;
  std::string scheduleText(const Schedule &schedule) const;

  // Head-to-head comparison of each task (CompareFinalists.cpp).
  llvm::Error compareFinalists();
  llvm::Error compareFinalistsOf(unsigned task);
  llvm::Error readOutcomes();

  // Comparison in the network (CompareInNetwork.cpp).
  llvm::Expected<std::vector<std::vector<Record>>>
  networkFinalists(double &total);
  llvm::Expected<std::vector<std::vector<Record>>> bestRecords();
  llvm::Error compareInNetwork();
  std::vector<std::vector<std::string>>
  otherForms(llvm::ArrayRef<std::vector<Record>> finalists);
  NetworkVariant variantOf(size_t n,
                           llvm::ArrayRef<std::vector<Record>> finalists,
                           std::vector<std::string> forms);
  std::vector<NetworkVariant>
  networkVariants(llvm::ArrayRef<std::vector<Record>> finalists);
  llvm::Error
  storeNetworkComparison(llvm::ArrayRef<NetworkVariant> variants,
                         llvm::ArrayRef<std::vector<Record>> finalists,
                         const NetworkReply &reply);
  llvm::Error chooseFormsAgain();

  std::vector<ModuleTask> &tasks;
  Environment environment;
  Database &database;
  CostModel *model;
  WorkerPool &pool;
  TunerOptions options;
  /// How the module calls the tasks, before a form is chosen.
  NetworkPart calls;
  /// The parts of the module whose forms this run chose.
  std::vector<AlternativesOp> ownForms;
  std::string runId;
  std::vector<TaskOutcome> results;
  std::vector<std::optional<Record>> predictions;
  std::optional<NetworkOutcome> networkTimes;
  TimeSplit split;
  std::unique_ptr<Rounds> rounds;
  unsigned done = 0, fresh = 0, failures = 0;
  /// Consecutive attempts without a worker.
  unsigned noWorkerRetries = 0;
};

/// Prints the table of a run without a device: predictions and facts of the
/// compiler.
void printBuildReport(llvm::raw_ostream &os, llvm::ArrayRef<ModuleTask> tasks,
                      llvm::ArrayRef<TaskOutcome> outcomes,
                      const TimeSplit &times);

/// Whether a time in f32 is shorter than `peak`, in FLOP/s of all threads,
/// allows, beyond the noise of such measurements.
bool exceedsPeak(llvm::ArrayRef<ModuleTask> tasks,
                 llvm::ArrayRef<TaskOutcome> outcomes, double peak);

/// Prints the final table. `peakFlops` is the peak rate of one core; 0 if
/// unknown.
void printReport(llvm::raw_ostream &os, llvm::ArrayRef<ModuleTask> tasks,
                 const Environment &environment,
                 llvm::ArrayRef<TaskOutcome> outcomes,
                 const std::optional<NetworkOutcome> &network,
                 const TimeSplit &times, double peakFlops);

} // namespace pruner

#endif // PRUNER_TUNE_TUNER_H
