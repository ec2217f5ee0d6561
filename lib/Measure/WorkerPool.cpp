//===- WorkerPool.cpp - builds in parallel, then runs alone ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/WorkerPool.h"

#include "MeasureRequests.h"
#include "RunDirectory.h"
#include "WorkerThread.h"
#include "pruner/Support/Guard.h"
#include "llvm/ADT/MapVector.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <sched.h>

using namespace llvm;
using namespace pruner;

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
  sharesReferences =
      options.referenceBytes > 0 && command.exec.empty() && directory;
  if (sharesReferences) {
    std::string cache = "--reference-cache=" + directory->references();
    command.arguments.push_back(cache);
    options.builder.arguments.push_back(cache);
    options.builder.arguments.push_back("--reference-bytes=0");
  }
  for (unsigned i = 0; i < std::max(1u, options.builders); ++i)
    builders.push_back(std::make_unique<WorkerThread>(options.builder));
  if (options.pinRunner && command.cpus.empty() && command.exec.empty())
    command.cpus = lastCpu();
  runner = std::make_unique<WorkerThread>(std::move(command));
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

static std::vector<MeasureItem> itemsOf(const MeasureJob &job,
                                        ArrayRef<std::string> schedules) {
  std::vector<MeasureItem> items;
  for (const std::string &schedule : schedules)
    items.push_back({&job, schedule});
  return items;
}

void WorkerPool::buildAll(ArrayRef<MeasureItem> items, int64_t firstId,
                          std::vector<MeasureResult> &results,
                          const WorkerThread::Job &afterwards) {
  // A builder that can get no worker leaves the rest to the others.
  std::mutex mutex;
  std::deque<size_t> waiting;
  for (size_t i = 0; i < items.size(); ++i)
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
      MeasureResult &result = results[i];
      requestBuild(worker, *items[i].job, items[i].schedule,
                   firstId + int64_t(i), options.buildSeconds, result);
      if (result.noWorker) {
        std::lock_guard<std::mutex> lock(mutex);
        waiting.push_front(i);
        return;
      }
    }
    if (afterwards)
      afterwards(worker);
  };
  std::vector<std::future<void>> done;
  size_t count = std::min(builders.size(), items.size());
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

static std::string taskKey(const MeasureJob &job) {
  return job.key + '\n' + job.target;
}

RunLimits WorkerPool::runLimits(const MeasureJob &job) const {
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
  measured(untuned, options.runPerBaseline) ||
      measured(fastest, options.runPerBest);
  return limits;
}

std::vector<MeasureResult> WorkerPool::build(ArrayRef<MeasureItem> items) {
  return build(items, nullptr);
}

std::vector<MeasureResult>
WorkerPool::build(ArrayRef<MeasureItem> items,
                  const std::function<void(WorkerProcess &)> &afterwards) {
  std::vector<MeasureResult> results(items.size());
  int64_t firstId = nextId;
  nextId += int64_t(items.size());
  buildAll(items, firstId, results, afterwards);
  return results;
}

static std::string builtKey(const MeasureItem &item) {
  const MeasureJob &job = *item.job;
  return job.key + '\n' + job.target + '\n' + std::to_string(job.threads) +
         '\n' + item.schedule;
}

void WorkerPool::keepBuilt(std::string key, const MeasureResult &result) {
  constexpr size_t mostBytes = size_t(64) << 20;
  size_t bytes = result.build.artifact.size();
  if (result.build.status != MeasureStatus::Ok || bytes == 0 ||
      built.count(key))
    return;
  while (!builtKeys.empty() && builtBytes + bytes > mostBytes) {
    auto oldest = built.find(builtKeys.front());
    builtBytes -= oldest->second.build.artifact.size();
    built.erase(oldest);
    builtKeys.pop_front();
  }
  MeasureResult &kept = built[key];
  kept.status = MeasureStatus::Ok;
  kept.build = result.build;
  kept.buildWallSeconds = result.buildWallSeconds;
  builtBytes += bytes;
  builtKeys.push_back(std::move(key));
}

std::vector<MeasureResult>
WorkerPool::buildBesideReferences(ArrayRef<MeasureItem> items) {
  MapVector<const MeasureJob *, MeasureResult> prepared;
  for (const MeasureItem &item : items)
    prepared.insert({item.job, MeasureResult()});
  for (auto &[job, result] : prepared)
    result.status = MeasureStatus::Ok;
  std::mutex mutex;
  size_t next = 0;
  auto take = [&]() -> std::pair<const MeasureJob *, MeasureResult> * {
    std::lock_guard<std::mutex> lock(mutex);
    return next < prepared.size() ? &prepared.begin()[next++] : nullptr;
  };
  const int64_t id = nextId;
  std::future<void> done = runner->submit([&](WorkerProcess &worker) {
    while (auto *entry = take()) {
      requestReference(worker, *entry->first, id, options.taskSeconds,
                       entry->second);
      costs += entry->second.spent;
      if (entry->second.noWorker)
        break;
    }
  });
  // Builders that have nothing left to build make references, too, which the
  // runner reads from the cache; what becomes of them it finds out then.
  auto help = [&](WorkerProcess &worker) {
    while (auto *entry = take()) {
      MeasureResult ignored;
      requestReference(worker, *entry->first, id, options.taskSeconds, ignored);
    }
  };
  std::vector<MeasureResult> results =
      sharesReferences ? build(items, help) : build(items);
  done.get();
  // A failure is that of the first that would have been run; the others try
  // again.
  for (auto [item, result] : zip_equal(items, results)) {
    MeasureResult &reference = prepared[item.job];
    if (reference.ok() || !result.ok())
      continue;
    reference.build = std::move(result.build);
    reference.buildWallSeconds = result.buildWallSeconds;
    result = std::exchange(reference, MeasureResult());
    reference.status = MeasureStatus::Ok;
  }
  return results;
}

void WorkerPool::run(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                     const RunLimits &limits, MeasureResult &result) {
  requestRun(worker, job, id, limits, result);
  costs += result.spent;
}

/// A timeout may be due to what else the machine did.
void WorkerPool::retry(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                       const RunLimits &limits, MeasureResult &result) {
  double before = result.runWallSeconds;
  run(worker, job, id, limits, result);
  result.runWallSeconds += before;
  if (result.status == MeasureStatus::RunTimeout)
    result.reason += " twice";
}

/// There is no worker for result `none`: what is built behind it would wait as
/// long, and fare no better.
static void giveUp(std::vector<MeasureResult> &results, size_t none) {
  for (MeasureResult &result : drop_begin(results, none + 1))
    if (result.ok()) {
      result.status = results[none].status;
      result.reason = results[none].reason;
      result.noWorker = true;
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
    limits.censorAbove = options.censorFactor * best[items[i].job];
    return limits;
  };
  runner
      ->submit([&](WorkerProcess &worker) {
        for (size_t i = 0; i < results.size(); ++i) {
          MeasureResult &result = results[i];
          if (!result.ok())
            continue;
          const MeasureJob &job = *items[i].job;
          run(worker, job, firstId + int64_t(i), limitsOf(i), result);
          if (result.noWorker) {
            giveUp(results, i);
            break;
          }
          double &least = best[&job];
          if (result.ok() && !result.run.censored.value_or(false) &&
              (least == 0 || result.run.median < least)) {
            least = result.run.median;
            fastest[taskKey(job)] = {least, result.runWallSeconds};
          }
        }
        for (size_t i = 0; i < results.size(); ++i)
          if (results[i].status == MeasureStatus::RunTimeout)
            retry(worker, *items[i].job, firstId + int64_t(i), limitsOf(i),
                  results[i]);
      })
      .get();
  if (directory)
    directory->trim();
  for (auto [item, result] : zip_equal(items, results))
    keepBuilt(builtKey(item), result);
  return results;
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
  size_t count = schedules.size();
  std::vector<ComparedResult> compared(count);
  std::vector<std::string> missing;
  std::vector<size_t> places;
  for (size_t i = 0; i < count; ++i) {
    auto known = built.find(builtKey({&job, schedules[i]}));
    if (known != built.end()) {
      compared[i].result = known->second;
      continue;
    }
    missing.push_back(schedules[i]);
    places.push_back(i);
  }
  for (auto [i, result] :
       zip_equal(places, buildBesideReferences(itemsOf(job, missing))))
    compared[i].result = std::move(result);
  nextId = firstId + int64_t(std::max(1u, turns) * count);
  runner
      ->submit([&](WorkerProcess &worker) {
        const RunLimits limits = runLimits(job);
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
          run(worker, one, id, limits, result);
          if (result.status == MeasureStatus::RunTimeout)
            retry(worker, one, id, limits, result);
          none = result.noWorker;
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

std::vector<MeasureResult> WorkerPool::baselines(ArrayRef<MeasureJob> jobs,
                                                 double maxSeconds) {
  int64_t firstId = nextId;
  std::vector<MeasureItem> items;
  for (const MeasureJob &job : jobs)
    items.push_back({&job, "default"});
  std::vector<MeasureResult> results = buildBesideReferences(items);
  // Its latency is not known yet: a few runs of anything that the reference
  // could be computed for must fit.
  RunLimits limits;
  limits.task = options.taskSeconds;
  limits.deadline = options.taskSeconds + maxSeconds;
  limits.maxSeconds = maxSeconds;
  runner
      ->submit([&](WorkerProcess &worker) {
        for (size_t i = 0; i < results.size(); ++i) {
          limits.censorAbove = options.censorFactor * jobs[i].bestSeconds;
          if (results[i].ok())
            run(worker, jobs[i], firstId + int64_t(i), limits, results[i]);
          if (results[i].noWorker)
            return giveUp(results, i);
        }
      })
      .get();
  for (auto [item, result] : zip_equal(items, results)) {
    keepBuilt(builtKey(item), result);
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
    return createStringError("the runner is behind a command");
  request.id = nextId++;
  WorkerProcess::Result answer;
  runner
      ->submit([&](WorkerProcess &worker) {
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
