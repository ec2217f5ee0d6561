//===- WorkerPool.cpp - parallel builds and sequential runs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/WorkerPool.h"

#include "MeasureRequests.h"
#include "RunDirectory.h"
#include "WorkerTeam.h"
#include "pruner/Program/ScheduleText.h"
#include "pruner/Runtime/Timer.h"
#include "pruner/Support/Guard.h"

#include <algorithm>
#include <sched.h>

using namespace llvm;
using namespace pruner;

/// The last of several CPUs that this process may use.
static std::vector<unsigned> lastCpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 2)
    return {};
  for (unsigned cpu = CPU_SETSIZE; cpu-- > 0;)
    if (CPU_ISSET(cpu, &set))
      return {cpu};
  return {};
}

WorkerPool::WorkerPool(WorkerPoolOptions opts) : options(std::move(opts)) {
  // Processes left by runs that were killed together with all their guards.
  killOrphans();
  RunDirectory::removeAbandoned();
  directory =
      RunDirectory::create(options.runner.program, options.referenceBytes);
  WorkerCommand command = options.runner;
  for (WorkerCommand *each : {&options.builder, &command}) {
    each->stopAsked = options.stopAsked;
    if (directory)
      each->temporaryDirectory = directory->path();
  }
  if (options.referenceBytes > 0 && command.exec.empty() && directory) {
    std::string cache = "--reference-cache=" + directory->references();
    command.arguments.push_back(cache);
    options.builder.arguments.push_back(cache);
    options.builder.arguments.push_back("--reference-bytes=0");
    // A builder that is a command may have no access to the directory.
    sharesReferences = options.builder.exec.empty();
  }
  builders = std::make_unique<WorkerTeam>(options.builder, options.builders);
  if (options.pinRunner && command.cpus.empty() && command.exec.empty())
    command.cpus = lastCpu();
  runners = std::make_unique<WorkerTeam>(command, options.runners);
}

WorkerPool::~WorkerPool() = default;

unsigned WorkerPool::workerStarts() const {
  return builders->starts() + runners->starts();
}

std::optional<HelloReply> WorkerPool::runnerHello() const {
  return runners->front().worker.hello();
}

static std::vector<MeasureItem> itemsOf(const MeasureJob &job,
                                        ArrayRef<std::string> schedules) {
  std::vector<MeasureItem> items;
  for (const std::string &schedule : schedules)
    items.push_back({&job, schedule});
  return items;
}

static std::string taskKey(const MeasureJob &job) {
  return job.key + '\n' + job.target;
}

/// Instructions of warps that the PTX machine executes per second at least,
/// also where other work takes most of the CPU.
static constexpr double kLeastEmulationRate = 3e5;

RunLimits WorkerPool::runLimits(const MeasureJob &job) const {
  std::lock_guard<std::mutex> lock(mutex);
  RunLimits limits;
  limits.task = options.taskSeconds;
  limits.deadline = options.runSecondsUnknown;
  auto measured = [&](const std::map<std::string, Known> &of, double factor) {
    auto found = of.find(taskKey(job));
    if (found == of.end())
      return false;
    limits.deadline =
        std::max({options.runSeconds, factor * found->second.latency,
                  options.runPerRequest * found->second.request});
    return true;
  };
  // The machine counts instructions, not seconds, so this is for other failures
  // than slow code.
  if (job.emulate > 0)
    limits.deadline += double(job.emulate) / kLeastEmulationRate;
  else
    measured(untuned, options.runPerBaseline) ||
        measured(fastest, options.runPerBest);
  return limits;
}

void WorkerPool::addCosts(const RunCosts &spent) {
  std::lock_guard<std::mutex> lock(mutex);
  costs += spent;
}

void WorkerPool::run(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                     const RunLimits &limits, MeasureResult &result) {
  requestRun(worker, job, id, limits, result);
  addCosts(result.spent);
}

/// A timeout may be caused by other load on the machine.
void WorkerPool::retry(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                       const RunLimits &limits, MeasureResult &result) {
  double before = result.runWallSeconds;
  run(worker, job, id, limits, result);
  result.runWallSeconds += before;
  if (result.status == MeasureStatus::RunTimeout)
    result.reason += " twice";
}

template <typename Predicate>
static std::vector<size_t>
numbersWhere(const std::vector<MeasureResult> &results, Predicate predicate) {
  std::vector<size_t> numbers;
  for (size_t i = 0; i < results.size(); ++i)
    if (predicate(results[i]))
      numbers.push_back(i);
  return numbers;
}

void WorkerPool::onRunners(
    std::vector<size_t> items, std::vector<MeasureResult> &results,
    function_ref<void(WorkerProcess &worker, size_t item)> work) {
  auto left = runners->share(items, [&](WorkerProcess &worker, size_t item) {
    work(worker, item);
    return !results[item].noWorker;
  });
  // The remaining items would wait as long for a worker, and fail too.
  auto none = llvm::find_if(results, [](auto &r) { return r.noWorker; });
  for (size_t i : left)
    if (!results[i].noWorker) {
      results[i].status = none->status;
      results[i].reason = none->reason;
      results[i].noWorker = true;
    }
}

std::vector<MeasureResult>
WorkerPool::measure(const MeasureJob &job, ArrayRef<std::string> schedules) {
  return measure(itemsOf(job, schedules));
}

std::vector<MeasureResult>
WorkerPool::measure(ArrayRef<MeasureItem> items,
                    const std::function<void()> &built) {
  int64_t firstId = nextId;
  std::vector<MeasureResult> results = buildBesideReferences(items);
  if (built)
    built();
  std::map<const MeasureJob *, double> best;
  for (const MeasureItem &item : items)
    best[item.job] = item.job->bestSeconds;
  auto limitsOf = [&](size_t i) {
    RunLimits limits = runLimits(*items[i].job);
    std::lock_guard<std::mutex> lock(mutex);
    limits.censorAbove = options.censorFactor * best[items[i].job];
    return limits;
  };
  auto isBuilt = [](const MeasureResult &result) { return result.ok(); };
  onRunners(numbersWhere(results, isBuilt), results,
            [&](WorkerProcess &worker, size_t i) {
              MeasureResult &result = results[i];
              const MeasureJob &job = *items[i].job;
              run(worker, job, firstId + int64_t(i), limitsOf(i), result);
              std::lock_guard<std::mutex> lock(mutex);
              double &least = best[&job];
              if (result.ok() && !result.run.emulated &&
                  !result.run.censored.value_or(false) &&
                  (least == 0 || result.run.median < least)) {
                least = result.run.median;
                fastest[taskKey(job)] = {least, result.runWallSeconds};
              }
            });
  auto isLate = [](const MeasureResult &result) {
    return result.status == MeasureStatus::RunTimeout;
  };
  onRunners(numbersWhere(results, isLate), results,
            [&](WorkerProcess &worker, size_t i) {
              retry(worker, *items[i].job, firstId + int64_t(i), limitsOf(i),
                    results[i]);
            });
  if (directory)
    directory->trim();
  for (auto [item, result] : zip_equal(items, results))
    keepBuilt(item, result);
  return results;
}

static void addTurn(ComparedResult &entry, const RunReply &run) {
  entry.seconds.push_back(run.median);
  if (run.noisy)
    entry.noisy = *run.noisy || entry.noisy.value_or(false);
}

/// How often a comparison starts again if runners are lost, in addition to once
/// for each of them.
static constexpr size_t kMostComparisons = 2;

bool WorkerPool::compareOn(WorkerProcess &worker, const MeasureJob &job,
                           int64_t firstId, unsigned turns,
                           std::vector<ComparedResult> &compared) {
  const RunLimits limits = runLimits(job);
  const size_t count = compared.size();
  unsigned losses = worker.losses();
  for (size_t turn = 0; turn < turns; ++turn)
    for (size_t i : interleavedOrder(turn, count)) {
      ComparedResult &entry = compared[i];
      if (!entry.result.ok())
        continue;
      MeasureJob one = job;
      one.verify = turn == 0;
      MeasureResult result = entry.result;
      int64_t id = firstId + int64_t(turn * count + i);
      run(worker, one, id, limits, result);
      if (result.status == MeasureStatus::RunTimeout)
        retry(worker, one, id, limits, result);
      if (turn == 0 || !result.ok())
        entry.result = result;
      // A loss before the first time was taken does not matter.
      if (turn == 0 && i == 0)
        losses = worker.losses();
      if (result.noWorker || worker.losses() != losses)
        return false;
      if (result.ok())
        addTurn(entry, result.run);
    }
  return true;
}

std::vector<ComparedResult> WorkerPool::compare(const MeasureJob &job,
                                                ArrayRef<std::string> schedules,
                                                unsigned turns) {
  int64_t firstId = nextId;
  size_t count = schedules.size();
  std::vector<ComparedResult> compared(count);
  std::vector<std::string> missing;
  std::vector<size_t> places;
  for (size_t i = 0; i < count; ++i) {
    if (const MeasureResult *known = findBuilt({&job, schedules[i]})) {
      compared[i].result = *known;
      continue;
    }
    missing.push_back(schedules[i]);
    places.push_back(i);
  }
  for (auto [i, result] :
       zip_equal(places, buildBesideReferences(itemsOf(job, missing))))
    compared[i].result = std::move(result);
  const std::vector<ComparedResult> builds = std::move(compared);
  size_t attempts =
      options.runner.exec.empty() ? 1 : runners->size() + kMostComparisons;
  nextId = firstId;
  runners->tryMembers(attempts, [&](WorkerProcess &worker) {
    compared = builds;
    // Each attempt gets its own id, so that a late reply is not mistaken for
    // that of another.
    firstId = nextId;
    nextId += int64_t(std::max(1u, turns) * count);
    return compareOn(worker, job, firstId, turns, compared);
  });
  if (directory)
    directory->trim();
  return compared;
}

std::vector<MeasureResult> WorkerPool::baselines(ArrayRef<MeasureJob> jobs,
                                                 double maxSeconds) {
  int64_t firstId = nextId;
  std::vector<MeasureItem> items;
  for (const MeasureJob &job : jobs)
    items.push_back({&job, kDefaultSchedule.str()});
  std::vector<MeasureResult> results = buildBesideReferences(items);
  // Its latency is not known yet. The limits must allow a few runs of every
  // task whose reference can be computed.
  RunLimits limits;
  limits.task = options.taskSeconds;
  limits.deadline = options.taskSeconds + maxSeconds;
  limits.maxSeconds = maxSeconds;
  auto isBuilt = [](const MeasureResult &result) { return result.ok(); };
  onRunners(numbersWhere(results, isBuilt), results,
            [&](WorkerProcess &worker, size_t i) {
              RunLimits own = limits;
              own.censorAbove = options.censorFactor * jobs[i].bestSeconds;
              run(worker, jobs[i], firstId + int64_t(i), own, results[i]);
            });
  for (auto [item, result] : zip_equal(items, results)) {
    keepBuilt(item, result);
    if (result.ok())
      untuned[taskKey(*item.job)] = {result.run.median, result.runWallSeconds};
  }
  return results;
}

std::string WorkerPool::filesDirectory() const {
  return directory ? directory->path() : "";
}

Expected<NetworkReply> WorkerPool::runNetworks(NetworkRequest request,
                                               double deadlineSeconds) {
  if (!options.runner.exec.empty())
    return createStringError(
        "expected a local runner, but the runner is a command");
  request.id = nextId++;
  WorkerProcess::Result answer;
  runners->front()
      .submit([&](WorkerProcess &worker) {
        answer = worker.call(toJSON(request), deadlineSeconds);
        worker.stop();
      })
      .get();
  if (!answer.reply)
    return createStringError(answer.reason);
  auto reply = parseMessage<NetworkReply>(*answer.reply, "network");
  if (!reply)
    return reply;
  std::string problem = networkProblem(*reply, request);
  if (!problem.empty())
    return createStringError(problem);
  return reply;
}
