//===- WorkerPool.h - builds in parallel, then runs alone -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_WORKERPOOL_H
#define PRUNER_MEASURE_WORKERPOOL_H

#include "pruner/Measure/NetworkProtocol.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Measure/WorkerProcess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace pruner {

struct WorkerPoolOptions {
  WorkerCommand builder;
  WorkerCommand runner;
  unsigned builders = 2;
  /// More than one only behind a command: each must measure on a machine, or a
  /// part of one, that the others leave alone.
  unsigned runners = 1;
  /// Run on the last core this process may use, when it may use several.
  bool pinRunner = true;
  /// Deadlines per request, seconds.
  double buildSeconds = 15;
  double taskSeconds = 120; ///< Registering a task, with its reference.
  /// The run deadline is max(runSeconds, runPerBaseline * default latency,
  /// runPerRequest * what verifying and timing the default took); without a
  /// baseline the same of the fastest candidate with runPerBest, and before
  /// there is one runSecondsUnknown.
  double runSeconds = 1;
  double runPerBaseline = 20;
  double runPerBest = 100;
  double runPerRequest = 4;
  double runSecondsUnknown = 10;
  /// A first run slower than this times the best known is not repeated.
  double censorFactor = 3;
  /// Most bytes of references that are kept for workers that replace others,
  /// of a quarter of the free space; 0: keep none. Not used where the runner is
  /// behind a command.
  uint64_t referenceBytes = uint64_t(4) << 30;
  /// Asked all the time; once it is true, calls return soon, with `noWorker`
  /// for what was not finished. Called from several threads.
  std::function<bool()> stopAsked;
};

/// What is measured: a task, where, and how.
struct MeasureJob {
  std::string key;  ///< Of the task.
  std::string text; ///< Its module.
  std::string target = "cpu";
  unsigned threads = 1;
  int64_t seed = 0;
  bool verify = true;
  double minSeconds = 0.010;
  int64_t minSamples = 5;
  /// See RunRequest.
  std::vector<ReuseDistance> reuseDistances;
  /// A time that no machine of this kind reaches, seconds: a lower one is not
  /// believed; 0 for none.
  double leastSeconds = 0;
  /// The best latency known, seconds; 0 for none. Within a batch it follows
  /// the verified candidates of the job.
  double bestSeconds = 0;
};

/// What is to be measured of which job.
struct MeasureItem {
  const MeasureJob *job;
  std::string schedule;
};

/// One candidate's outcome. Times mean something only if the status is Ok.
struct MeasureResult {
  MeasureStatus status = MeasureStatus::Unmeasured;
  std::string reason;
  BuildReply build;
  RunReply run;
  double buildWallSeconds = 0, runWallSeconds = 0;
  /// What the runner says of the latter, and the time for the reference before.
  RunCosts spent;
  /// No worker could be started or spoken with, often tried, or a stop was
  /// asked for: this says nothing about the candidate.
  bool noWorker = false;
  /// So it is because the worker was lost while it was at it (see
  /// WorkerFailure); what was lost is asked for a few times.
  bool lost = false;

  bool ok() const { return status == MeasureStatus::Ok; }
};

/// Times of one schedule among others, see WorkerPool::compare.
struct ComparedResult {
  MeasureResult result; ///< Of the turn that verified it.
  /// The median of each turn; fewer than asked for after a failure.
  std::vector<double> seconds;
  /// Whether any turn's spread stayed above the limit; nothing where the runner
  /// does not say.
  std::optional<bool> noisy;
};

class RunDirectory;
class WorkerTeam;
struct RunLimits;

/// N builders and one runner, or several behind a command, in processes of
/// their own. A candidate that crashes, hangs or eats memory costs its worker
/// and at most its deadline, never this process; the next request starts
/// another worker.
class WorkerPool {
public:
  explicit WorkerPool(WorkerPoolOptions options);
  ~WorkerPool();

  /// Measures schedules, of one task or several, and returns as many results in
  /// the same order. All builds end before the first run starts, so nothing
  /// compiles while something is timed. Request i of the batch has id
  /// `firstId() + i` in both stages.
  ///
  /// Candidates that exceed the run deadline get a second chance when the
  /// others are done, in a new worker: a timeout counts only if it happens
  /// twice.
  ///
  /// \p built is called in between, once, and must return soon.
  std::vector<MeasureResult>
  measure(llvm::ArrayRef<MeasureItem> items,
          const std::function<void()> &built = nullptr);
  std::vector<MeasureResult> measure(const MeasureJob &job,
                                     llvm::ArrayRef<std::string> schedules);

  /// The same without running: Ok means built.
  std::vector<MeasureResult> build(llvm::ArrayRef<MeasureItem> items);

  /// Latencies of the untuned defaults (schedule `default`), measured by the
  /// same protocol within about `maxSeconds` each. A success scales later run
  /// deadlines of that task and target.
  std::vector<MeasureResult> baselines(llvm::ArrayRef<MeasureJob> jobs,
                                       double maxSeconds = 2);

  /// Times `schedules` (`default` may be among them) in turns in one runner,
  /// `turns` times around, each turn beginning with the next one: what disturbs
  /// the machine meets all of them alike. Each is verified in its first turn;
  /// one that fails takes no further part. What this pool measured of late is
  /// not built again. Where a relay loses the runner's machine all begins again
  /// on another.
  std::vector<ComparedResult> compare(const MeasureJob &job,
                                      llvm::ArrayRef<std::string> schedules,
                                      unsigned turns);

  /// Times builds of a network in turns, within `deadlineSeconds`. The runner
  /// is replaced then: libraries stay loaded. An error says why there are no
  /// times; a runner behind a command has none, since it may be on another
  /// machine.
  llvm::Expected<NetworkReply> runNetworks(NetworkRequest request,
                                           double deadlineSeconds);
  /// Where the files of this run are that go with it; empty if there is no
  /// place for them.
  std::string filesDirectory() const;

  /// The id that the next request will have.
  int64_t firstId() const { return nextId; }
  /// How many workers have been started in all.
  unsigned workerStarts() const;
  /// Where the runner's time went so far, of what it told.
  const RunCosts &runCosts() const { return costs; }
  /// The runner's greeting, once there was one.
  std::optional<HelloReply> runnerHello() const;

private:
  void buildAll(llvm::ArrayRef<MeasureItem> items, int64_t firstId,
                std::vector<MeasureResult> &results,
                const std::function<void(WorkerProcess &)> &afterwards);
  /// With something that every builder does when nothing is left to build.
  std::vector<MeasureResult>
  build(llvm::ArrayRef<MeasureItem> items,
        const std::function<void(WorkerProcess &)> &afterwards);
  /// Calls `work` for each of `items`, on all runners.
  void
  onRunners(std::vector<size_t> items, std::vector<MeasureResult> &results,
            llvm::function_ref<void(WorkerProcess &worker, size_t item)> work);
  /// `turns` of `compare` in one worker; false if there was none, or if it was
  /// another one in between.
  bool compareOn(WorkerProcess &worker, const MeasureJob &job, int64_t firstId,
                 unsigned turns, std::vector<ComparedResult> &compared);
  /// Builds, while the references are made that the runner will need.
  std::vector<MeasureResult>
  buildBesideReferences(llvm::ArrayRef<MeasureItem> items);
  void addCosts(const RunCosts &spent);
  /// Keeps what was built of a schedule, in place of what was kept the longest.
  void keepBuilt(const MeasureItem &item, const MeasureResult &result);
  /// What was kept of it, if anything.
  const MeasureResult *findBuilt(const MeasureItem &item) const;
  /// The following are called by several runners at a time.
  RunLimits runLimits(const MeasureJob &job) const;
  void run(WorkerProcess &worker, const MeasureJob &job, int64_t id,
           const RunLimits &limits, MeasureResult &result);
  void retry(WorkerProcess &worker, const MeasureJob &job, int64_t id,
             const RunLimits &limits, MeasureResult &result);

  WorkerPoolOptions options;
  std::unique_ptr<RunDirectory> directory; ///< Outlives the workers.
  bool sharesReferences = false; ///< Builders and the runner have one cache.
  std::unique_ptr<WorkerTeam> builders, runners;
  mutable std::mutex mutex; ///< Of what follows, while runners run.
  struct Known {
    double latency = 0, request = 0; ///< Seconds.
  };
  std::map<std::string, Known> untuned, fastest; ///< By task and target.
  RunCosts costs;
  /// By job and schedule; and in the order in which they were built.
  std::map<std::string, MeasureResult> built;
  std::deque<std::string> builtKeys;
  size_t builtBytes = 0;
  int64_t nextId = 0;
};

} // namespace pruner

#endif // PRUNER_MEASURE_WORKERPOOL_H
