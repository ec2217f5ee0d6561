//===- WorkerPool.cpp - builds in parallel, then runs alone ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/WorkerPool.h"

#include "CheckReply.h"
#include "RunDirectory.h"
#include "pruner/Support/Guard.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <sched.h>
#include <thread>

using namespace llvm;
using namespace pruner;

/// A thread with the worker that belongs to it. Children die with the thread
/// that started them, so the thread lives as long as the pool.
class WorkerPool::Slot {
public:
  explicit Slot(WorkerCommand command)
      : worker(std::move(command)), thread([this] { loop(); }) {}
  ~Slot() {
    post(nullptr);
    thread.join();
  }

  using Job = std::function<void(WorkerProcess &)>;
  std::future<void> submit(Job job) {
    auto done = std::make_shared<std::promise<void>>();
    std::future<void> future = done->get_future();
    post([job = std::move(job), done](WorkerProcess &worker) {
      job(worker);
      done->set_value();
    });
    return future;
  }

  WorkerProcess worker; ///< Touched by others only while no job runs.

private:
  void post(Job job) {
    std::lock_guard<std::mutex> lock(mutex);
    jobs.push_back(std::move(job));
    wake.notify_one();
  }
  void loop() {
    while (true) {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [this] { return !jobs.empty(); });
      Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      if (!job)
        return worker.stop();
      job(worker);
    }
  }

  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Job> jobs;
  std::thread thread; ///< Last: it uses everything above.
};

/// The last of several CPUs that this process may run on.
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
  // What was left by runs that were killed, with all that watched over them.
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
  for (unsigned i = 0; i < std::max(1u, options.builders); ++i)
    builders.push_back(std::make_unique<Slot>(options.builder));
  if (options.pinRunner && command.cpus.empty() && command.exec.empty())
    command.cpus = lastCpu();
  if (options.referenceBytes > 0 && command.exec.empty() && directory)
    command.arguments.push_back("--reference-cache=" + directory->references());
  runner = std::make_unique<Slot>(std::move(command));
}

WorkerPool::~WorkerPool() = default;

unsigned WorkerPool::workerStarts() const {
  unsigned starts = runner->worker.starts();
  for (const auto &slot : builders)
    starts += slot->worker.starts();
  return starts;
}

std::optional<HelloReply> WorkerPool::runnerHello() const {
  return runner->worker.hello();
}

/// The status of a request that got no reply.
static MeasureStatus failureStatus(WorkerProcess::Failure failure,
                                   bool building) {
  switch (failure) {
  case WorkerProcess::Failure::CannotStart:
  case WorkerProcess::Failure::Stopped:
    return building ? MeasureStatus::BuildError : MeasureStatus::RunError;
  case WorkerProcess::Failure::Timeout:
    return building ? MeasureStatus::BuildTimeout : MeasureStatus::RunTimeout;
  case WorkerProcess::Failure::OutOfMemory:
    return MeasureStatus::OutOfMemory;
  case WorkerProcess::Failure::Died:
  case WorkerProcess::Failure::BadReply:
    break;
  }
  return building ? MeasureStatus::BuildCrash : MeasureStatus::RunCrash;
}

static void setFailure(MeasureResult &result,
                       const WorkerProcess::Result &answer, bool building) {
  result.status = failureStatus(answer.failure, building);
  result.reason = answer.reason;
  result.noWorker = answer.failure == WorkerProcess::Failure::CannotStart ||
                    answer.failure == WorkerProcess::Failure::Stopped;
}

/// Tells the worker of the job's task; false with the result filled in if that
/// failed.
static bool registerTask(WorkerProcess &worker, const MeasureJob &job,
                         int64_t id, bool reference, double seconds,
                         MeasureResult &result) {
  auto answer =
      worker.ensureTask({id, job.key, job.text, reference, job.seed}, seconds);
  if (!answer.reply) {
    setFailure(result, answer, /*building=*/!reference);
    if (!result.noWorker)
      result.reason = "while the task was prepared: " + result.reason;
    return false;
  }
  if (answer.reply->kind() == json::Value::Null)
    return true; // It knew already.
  auto reply = parseMessage<TaskReply>(*answer.reply, "task");
  if (reply && reply->status == MeasureStatus::Ok)
    return true;
  result.status =
      reference ? MeasureStatus::RunError : MeasureStatus::BuildError;
  if (reply && (mayReport(reply->status, /*building=*/true) ||
                mayReport(reply->status, /*building=*/false)))
    result.status = reply->status;
  result.reason =
      "the task was refused: " +
      (reply ? plainReason(reply->reason) : toString(reply.takeError()));
  worker.stop(); // So that it is asked again next time.
  return false;
}

static double secondsSince(Subprocess::Clock::time_point start) {
  return std::chrono::duration<double>(Subprocess::Clock::now() - start)
      .count();
}

void WorkerPool::buildAll(const MeasureJob &job,
                          ArrayRef<std::string> schedules, int64_t firstId,
                          std::vector<MeasureResult> &results) {
  // A builder that can get no worker leaves the rest to the others.
  std::mutex mutex;
  std::deque<size_t> waiting;
  for (size_t i = 0; i < schedules.size(); ++i)
    waiting.push_back(i);
  auto take = [&]() -> std::optional<size_t> {
    std::lock_guard<std::mutex> lock(mutex);
    if (waiting.empty())
      return std::nullopt;
    size_t i = waiting.front();
    waiting.pop_front();
    return i;
  };
  auto work = [&](WorkerProcess &worker) {
    while (auto taken = take()) {
      size_t i = *taken;
      auto start = Subprocess::Clock::now();
      MeasureResult &result = results[i];
      result.noWorker = false;
      int64_t id = firstId + int64_t(i);
      if (registerTask(worker, job, id, /*reference=*/false,
                       options.buildSeconds, result)) {
        auto answer =
            worker.call(toJSON(BuildRequest{id, job.key, schedules[i],
                                            job.target, int64_t(job.threads)}),
                        options.buildSeconds);
        if (!answer.reply) {
          setFailure(result, answer, /*building=*/true);
        } else if (auto reply =
                       parseMessage<BuildReply>(*answer.reply, "build")) {
          result.build = std::move(*reply);
          checkReply(result.build);
          result.status = result.build.status;
          result.reason = result.build.reason;
        } else {
          result.status = MeasureStatus::BuildCrash;
          result.reason =
              "the worker's reply is malformed: " + toString(reply.takeError());
          worker.stop();
        }
      }
      result.buildWallSeconds += secondsSince(start);
      if (result.noWorker) {
        std::lock_guard<std::mutex> lock(mutex);
        waiting.push_front(i);
        return;
      }
    }
  };
  std::vector<std::future<void>> done;
  size_t count = std::min(builders.size(), schedules.size());
  for (size_t i = 0; i < count; ++i)
    done.push_back(builders[i]->submit(work));
  for (auto &future : done)
    future.get();
  for (size_t i : waiting) {
    if (results[i].noWorker)
      continue;
    auto same = llvm::find_if(results, [](auto &r) { return r.noWorker; });
    results[i].noWorker = true;
    results[i].status = MeasureStatus::BuildError;
    results[i].reason = same == results.end() ? "no worker" : same->reason;
  }
}

void WorkerPool::runOne(WorkerProcess &worker, const MeasureJob &job,
                        int64_t id, double censorAbove, double maxSeconds,
                        double deadline, MeasureResult &result) {
  auto start = Subprocess::Clock::now();
  if (registerTask(worker, job, id, /*reference=*/true, options.taskSeconds,
                   result)) {
    start = Subprocess::Clock::now();
    RunRequest request;
    request.id = id;
    request.task = job.key;
    request.target = job.target;
    request.format = result.build.format;
    request.artifact = result.build.artifact;
    request.entry = result.build.entry;
    request.facts = result.build.facts;
    request.threads = job.threads;
    request.verify = job.verify;
    request.censorAbove = censorAbove;
    request.minSeconds = job.minSeconds;
    request.minSamples = job.minSamples;
    request.maxSeconds = maxSeconds;
    auto answer = worker.call(toJSON(request), deadline);
    if (!answer.reply) {
      setFailure(result, answer, /*building=*/false);
    } else if (auto reply = parseMessage<RunReply>(*answer.reply, "run")) {
      result.run = std::move(*reply);
      checkReply(result.run, job);
      result.status = result.run.status;
      result.reason = result.run.reason;
      if (result.run.retire)
        worker.stop();
    } else {
      result.status = MeasureStatus::RunCrash;
      result.reason =
          "the worker's reply is malformed: " + toString(reply.takeError());
      worker.stop();
    }
  }
  result.runWallSeconds = secondsSince(start);
}

double WorkerPool::runDeadline(const MeasureJob &job) const {
  auto found = baselines.find(job.key + '\n' + job.target);
  if (found == baselines.end())
    return options.runSecondsUnknown;
  const Baseline &baseline = found->second;
  return std::max({options.runSeconds,
                   options.runPerBaseline * baseline.latency,
                   options.runPerRequest * baseline.request});
}

std::vector<MeasureResult> WorkerPool::build(const MeasureJob &job,
                                             ArrayRef<std::string> schedules) {
  std::vector<MeasureResult> results(schedules.size());
  int64_t firstId = nextId;
  nextId += int64_t(schedules.size());
  buildAll(job, schedules, firstId, results);
  return results;
}

std::vector<MeasureResult>
WorkerPool::measure(const MeasureJob &job, ArrayRef<std::string> schedules) {
  int64_t firstId = nextId;
  std::vector<MeasureResult> results = build(job, schedules);
  runner
      ->submit([&](WorkerProcess &worker) {
        double best = job.bestSeconds;
        double deadline = runDeadline(job);
        std::optional<MeasureResult> none;
        for (size_t i = 0; i < results.size(); ++i) {
          MeasureResult &result = results[i];
          if (!result.ok())
            continue;
          // The next would wait as long, and fare no better.
          if (none) {
            result.status = none->status;
            result.reason = none->reason;
            result.noWorker = true;
            continue;
          }
          runOne(worker, job, firstId + int64_t(i), options.censorFactor * best,
                 /*maxSeconds=*/0, deadline, result);
          if (result.noWorker)
            none = result;
          if (result.ok() && !result.run.censored.value_or(false) &&
              (best == 0 || result.run.median < best))
            best = result.run.median;
        }
        for (size_t i = 0; i < results.size(); ++i)
          if (results[i].status == MeasureStatus::RunTimeout)
            retry(worker, job, firstId + int64_t(i),
                  options.censorFactor * best, deadline, results[i]);
      })
      .get();
  if (directory)
    directory->trim();
  return results;
}

/// A timeout may be due to what else the machine did.
void WorkerPool::retry(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                       double censorAbove, double deadline,
                       MeasureResult &result) {
  double before = result.runWallSeconds;
  runOne(worker, job, id, censorAbove, /*maxSeconds=*/0, deadline, result);
  result.runWallSeconds += before;
  if (result.status == MeasureStatus::RunTimeout)
    result.reason += " twice";
}

static void addTurn(ComparedResult &entry, const RunReply &run) {
  entry.seconds.push_back(run.median);
  if (run.noisy)
    entry.noisy = *run.noisy || entry.noisy.value_or(false);
}

std::vector<ComparedResult> WorkerPool::compare(const MeasureJob &job,
                                                ArrayRef<std::string> schedules,
                                                unsigned turns) {
  int64_t firstId = nextId;
  std::vector<MeasureResult> built = build(job, schedules);
  size_t count = built.size();
  nextId = firstId + int64_t(std::max(1u, turns) * count);
  std::vector<ComparedResult> compared(count);
  for (size_t i = 0; i < count; ++i)
    compared[i].result = std::move(built[i]);
  runner
      ->submit([&](WorkerProcess &worker) {
        double deadline = runDeadline(job);
        bool none = false;
        for (size_t visit = 0; visit < turns * count; ++visit) {
          size_t turn = visit / count, i = (turn + visit) % count;
          ComparedResult &entry = compared[i];
          if (!entry.result.ok() || none)
            continue;
          MeasureJob one = job;
          one.verify = turn == 0;
          MeasureResult result = entry.result;
          // An id of its own, so that a late reply is not taken for another's.
          int64_t id = firstId + int64_t(turn * count + i);
          runOne(worker, one, id, /*censorAbove=*/0, /*maxSeconds=*/0, deadline,
                 result);
          if (result.status == MeasureStatus::RunTimeout)
            retry(worker, one, id, /*censorAbove=*/0, deadline, result);
          none = result.noWorker;
          if (none)
            entry.result = result;
          if (turn == 0 || !result.ok())
            entry.result = result;
          if (result.ok())
            addTurn(entry, result.run);
        }
      })
      .get();
  if (directory)
    directory->trim();
  return compared;
}

MeasureResult WorkerPool::baseline(const MeasureJob &job, double maxSeconds) {
  int64_t id = nextId;
  MeasureResult result = build(job, {std::string("default")}).front();
  if (!result.ok())
    return result;
  // Its latency is not known yet: a few runs of anything that the reference
  // could be computed for must fit.
  double deadline = options.taskSeconds + maxSeconds;
  runner
      ->submit([&](WorkerProcess &worker) {
        runOne(worker, job, id, /*censorAbove=*/0, maxSeconds, deadline,
               result);
      })
      .get();
  if (result.ok())
    baselines[job.key + '\n' + job.target] = {result.run.median,
                                              result.runWallSeconds};
  return result;
}
