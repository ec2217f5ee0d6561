//===- WorkerPool.h - parallel builds and sequential runs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  /// More than one only for a command. Each runner must then measure on a
  /// machine, or a part of one, that the others do not use.
  unsigned runners = 1;
  /// Run on the last core that this process may use, if there are several.
  bool pinRunner = true;
  /// Deadlines per request, seconds.
  double buildSeconds = 15;
  double taskSeconds = 120; ///< Registering a task, with its reference.
  /// The run deadline is max(runSeconds, runPerBaseline * default latency,
  /// runPerRequest * time for verifying and timing the default). Without a
  /// baseline, the fastest candidate replaces the default, with the factor
  /// runPerBest. Before there is one, the deadline is runSecondsUnknown.
  double runSeconds = 1;
  double runPerBaseline = 20;
  double runPerBest = 100;
  double runPerRequest = 4;
  double runSecondsUnknown = 10;
  /// Code whose first runs are slower than this times the best known latency is
  /// not timed further.
  double censorFactor = 3;
  /// Maximum bytes of references that are kept for replacement workers, and at
  /// most a quarter of the free space; 0 keeps none. Not used if the runner is
  /// a command.
  uint64_t referenceBytes = uint64_t(4) << 30;
  /// Polled continuously. Once it returns true, calls return soon, with
  /// `noWorker` for everything unfinished. Called from several threads.
  std::function<bool()> stopAsked;
};

/// A task, with the target and the way to measure it.
struct MeasureJob {
  std::string key;  ///< Key of the task.
  std::string text; ///< Its module as text.
  std::string target = "cpu";
  unsigned threads = 1;
  int64_t seed = 0;
  bool verify = true;
  double minSeconds = 0.010;
  int64_t minSamples = 5;
  /// See RunRequest.
  std::vector<ReuseDistance> reuseDistances;
  /// A time that no machine of this kind can reach, seconds. Replies with a
  /// lower time are rejected. 0 for none.
  double leastSeconds = 0;
  /// The best known latency, seconds; 0 for none. Verified candidates of the
  /// job update it within a batch.
  double bestSeconds = 0;
  /// Run candidates in the PTX machine (RunRequest::emulate); 0: on a device.
  /// Their results have no times.
  int64_t emulate = 0;
};

/// A candidate of a job.
struct MeasureItem {
  const MeasureJob *job;
  std::string schedule;
};

/// The result of one candidate. Times are meaningful only if the status is Ok.
struct MeasureResult {
  MeasureStatus status = MeasureStatus::Unmeasured;
  std::string reason;
  BuildReply build;
  RunReply run;
  double buildWallSeconds = 0, runWallSeconds = 0;
  /// How the runner spent the latter time, and the time for the reference
  /// before.
  RunCosts spent;
  /// No worker could be started or reached after several attempts, or a stop
  /// was requested. The candidate is not the cause.
  bool noWorker = false;
  /// The reason for `noWorker` is that the worker was lost during the request
  /// (see WorkerFailure). Such requests are repeated a few times.
  bool lost = false;

  bool ok() const { return status == MeasureStatus::Ok; }
};

/// Times of one schedule in WorkerPool::compare.
struct ComparedResult {
  MeasureResult result; ///< Of the turn that verified it.
  /// The median of each turn; fewer than requested after a failure.
  std::vector<double> seconds;
  /// Whether the spread of any turn stayed above the limit; empty if the runner
  /// does not report it.
  std::optional<bool> noisy;
};

class RunDirectory;
class WorkerTeam;
struct RunLimits;

/// N builders and one runner, or several if the runner is a command, each in
/// its own process. A candidate that crashes, hangs or exhausts memory costs
/// its worker and at most its deadline, never this process. The next request
/// starts another worker.
class WorkerPool {
public:
  explicit WorkerPool(WorkerPoolOptions options);
  ~WorkerPool();

  /// Measures schedules of one or several tasks. Returns as many results in the
  /// same order. All builds end before the first run starts, so nothing
  /// compiles while something is timed. Request i of the batch has id
  /// `firstId() + i` in both stages.
  ///
  /// Candidates that exceed the run deadline are run once more after the
  /// others, in a new worker. A timeout counts only if it happens twice.
  ///
  /// \p built is called once, between the builds and the runs, and must return
  /// soon.
  std::vector<MeasureResult>
  measure(llvm::ArrayRef<MeasureItem> items,
          const std::function<void()> &built = nullptr);
  std::vector<MeasureResult> measure(const MeasureJob &job,
                                     llvm::ArrayRef<std::string> schedules);

  /// Builds without running. Ok means built.
  std::vector<MeasureResult> build(llvm::ArrayRef<MeasureItem> items);

  /// Latencies of the untuned defaults (schedule `default`), measured by the
  /// same protocol within about `maxSeconds` each. A success scales the run
  /// deadlines of that task and target.
  std::vector<MeasureResult> baselines(llvm::ArrayRef<MeasureJob> jobs,
                                       double maxSeconds = 2);

  /// Times `schedules` (which may include `default`) interleaved in one runner,
  /// in `turns` turns. Each turn begins with the next schedule, so that a
  /// disturbance of the machine affects all of them alike. Each schedule is
  /// verified in its first turn; one that fails is dropped. What this pool
  /// measured recently is not built again. If a relay loses the machine of the
  /// runner, the comparison starts again on another.
  std::vector<ComparedResult> compare(const MeasureJob &job,
                                      llvm::ArrayRef<std::string> schedules,
                                      unsigned turns);

  /// Times builds of a network interleaved, within `deadlineSeconds`. The
  /// runner is replaced afterwards, because libraries stay loaded. The error
  /// states why there are no times. Fails if the runner is a command, because
  /// it may be on another machine.
  llvm::Expected<NetworkReply> runNetworks(NetworkRequest request,
                                           double deadlineSeconds);
  /// The directory with the files of this run, which is removed with it; empty
  /// if it could not be created.
  std::string filesDirectory() const;

  /// The id of the next request.
  int64_t firstId() const { return nextId; }
  /// The number of workers started so far.
  unsigned workerStarts() const;
  /// How the runner spent its time so far, as far as it reports it.
  const RunCosts &runCosts() const { return costs; }
  /// The greeting of the runner, if there was one.
  std::optional<HelloReply> runnerHello() const;

private:
  void buildAll(llvm::ArrayRef<MeasureItem> items, int64_t firstId,
                std::vector<MeasureResult> &results,
                const std::function<void(WorkerProcess &)> &afterwards);
  /// Builds, with work for builders that have nothing left to build.
  std::vector<MeasureResult>
  build(llvm::ArrayRef<MeasureItem> items,
        const std::function<void(WorkerProcess &)> &afterwards);
  /// Calls `work` for each of `items`, on all runners.
  void
  onRunners(std::vector<size_t> items, std::vector<MeasureResult> &results,
            llvm::function_ref<void(WorkerProcess &worker, size_t item)> work);
  /// The turns of `compare` in one worker. Returns false if there was no
  /// worker, or if it was replaced in between.
  bool compareOn(WorkerProcess &worker, const MeasureJob &job, int64_t firstId,
                 unsigned turns, std::vector<ComparedResult> &compared);
  /// Builds while the references for the runner are computed.
  std::vector<MeasureResult>
  buildBesideReferences(llvm::ArrayRef<MeasureItem> items);
  void addCosts(const RunCosts &spent);
  /// Keeps the build of a schedule and drops the oldest one.
  void keepBuilt(const MeasureItem &item, const MeasureResult &result);
  /// The kept build, if there is one.
  const MeasureResult *findBuilt(const MeasureItem &item) const;
  /// Several runners call the following concurrently.
  RunLimits runLimits(const MeasureJob &job) const;
  void run(WorkerProcess &worker, const MeasureJob &job, int64_t id,
           const RunLimits &limits, MeasureResult &result);
  void retry(WorkerProcess &worker, const MeasureJob &job, int64_t id,
             const RunLimits &limits, MeasureResult &result);

  WorkerPoolOptions options;
  std::unique_ptr<RunDirectory> directory; ///< Outlives the workers.
  bool sharesReferences = false; ///< Builders and the runner share one cache.
  std::unique_ptr<WorkerTeam> builders, runners;
  /// Protects the following fields while runners run.
  mutable std::mutex mutex;
  struct Known {
    double latency = 0, request = 0; ///< Seconds.
  };
  std::map<std::string, Known> untuned, fastest; ///< By task and target.
  RunCosts costs;
  /// By job and schedule; and in the order of building.
  std::map<std::string, MeasureResult> built;
  std::deque<std::string> builtKeys;
  size_t builtBytes = 0;
  int64_t nextId = 0;
};

} // namespace pruner

#endif // PRUNER_MEASURE_WORKERPOOL_H
