//===- PoolBuilds.cpp - builds of a worker pool ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/WorkerPool.h"

#include "MeasureRequests.h"
#include "WorkerTeam.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <mutex>
#include <numeric>

using namespace llvm;
using namespace pruner;

void WorkerPool::buildAll(ArrayRef<MeasureItem> items, int64_t firstId,
                          std::vector<MeasureResult> &results,
                          const WorkerThread::Job &afterwards) {
  std::vector<size_t> all(items.size());
  std::iota(all.begin(), all.end(), size_t(0));
  auto build = [&](WorkerProcess &worker, size_t i) {
    requestBuild(worker, *items[i].job, items[i].schedule, firstId + int64_t(i),
                 options.buildSeconds, results[i]);
    return !results[i].noWorker;
  };
  auto then = [&](WorkerProcess &worker) {
    if (afterwards)
      afterwards(worker);
  };
  for (size_t i : builders->share(all, build, then)) {
    if (results[i].noWorker)
      continue;
    auto same = llvm::find_if(results, [](auto &r) { return r.noWorker; });
    results[i].noWorker = true;
    results[i].status = MeasureStatus::BuildError;
    results[i].reason = same == results.end() ? "no worker" : same->reason;
  }
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

const MeasureResult *WorkerPool::findBuilt(const MeasureItem &item) const {
  auto known = built.find(builtKey(item));
  return known == built.end() ? nullptr : &known->second;
}

void WorkerPool::keepBuilt(const MeasureItem &item,
                           const MeasureResult &result) {
  constexpr size_t mostBytes = size_t(64) << 20;
  size_t bytes = result.build.artifact.size();
  std::string key = builtKey(item);
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
  std::mutex turn;
  size_t next = 0;
  auto take = [&]() -> std::pair<const MeasureJob *, MeasureResult> * {
    std::lock_guard<std::mutex> lock(turn);
    return next < prepared.size() ? &prepared.begin()[next++] : nullptr;
  };
  const int64_t id = nextId;
  auto prepare = [&](WorkerProcess &worker, const MeasureJob &job,
                     MeasureResult &result) {
    requestReference(worker, job, id, options.taskSeconds, result);
    addCosts(result.spent);
    return !result.noWorker;
  };
  // Runners that are commands need their own references. All but the first
  // ignore the result here; a failure shows when they run.
  auto done = runners->startEach(
      std::max<size_t>(1, std::min(runners->size(), items.size())),
      [&](WorkerProcess &worker, size_t which) {
        if (which == 0) {
          while (auto *entry = take())
            if (!prepare(worker, *entry->first, entry->second))
              return false;
          return true;
        }
        for (auto &entry : prepared) {
          MeasureResult ignored;
          if (!prepare(worker, *entry.first, ignored))
            return false;
        }
        return true;
      });
  // Builders with nothing left to build also compute references, which the
  // runner reads from the cache. They ignore the result; a failure shows when
  // the runner computes it.
  auto help = [&](WorkerProcess &worker) {
    while (auto *entry = take()) {
      MeasureResult ignored;
      requestReference(worker, *entry->first, id, options.taskSeconds, ignored);
    }
  };
  std::vector<MeasureResult> results =
      sharesReferences ? build(items, help) : build(items);
  for (auto &future : done)
    future.get();
  // A failure is assigned to the candidate that would have run first; the
  // others try again. If there was no worker, another runner may have one.
  for (auto [item, result] : zip_equal(items, results)) {
    MeasureResult &reference = prepared[item.job];
    if (reference.ok() || !result.ok() ||
        (reference.noWorker && runners->size() > 1))
      continue;
    reference.build = std::move(result.build);
    reference.buildWallSeconds = result.buildWallSeconds;
    result = std::exchange(reference, MeasureResult());
    reference.status = MeasureStatus::Ok;
  }
  return results;
}
