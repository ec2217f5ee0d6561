//===- NetworkFinal.cpp - the best schedules against each other in the network
//===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildNetwork.h"
#include "Interrupt.h"
#include "Stopwatch.h"

#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"
#include "pruner/Tune/Tuner.h"

#include <cmath>

using namespace pruner;

/// Schedules of a task that compete, the one that is applied first: the next
/// ones are within kNear of it. What they take alone and in the network differs
/// by as much.
static constexpr size_t kEntrants = 3;
static constexpr double kNear = 1.3;
/// Tasks with a smaller share of the time have one entrant: nothing would be
/// gained, and the times of short calls scatter most.
static constexpr double kLeastShare = 0.02;
/// Turns of the libraries. In 77 finals of eight turns, five or six of them
/// chose no faster schedules than four, by the turns that had no say.
static constexpr int64_t kTurns = 4;

namespace {
/// What may be applied to a task, best first, as the finals left it; empty
/// where that is the untuned default.
struct Entrants {
  std::vector<Record> records;
  double seconds = 0; ///< Of what is applied, one call.
  bool known = false; ///< A final in the network compared these.
};
} // namespace

static Entrants entrantsOf(llvm::ArrayRef<Record> records) {
  Entrants entrants;
  Choice choice = chooseRecord(records);
  entrants.seconds = choice.seconds.value_or(0);
  if (!choice.record)
    return entrants;
  entrants.records.push_back(*choice.record);
  std::vector<Record> others = latestFinal(records, kFinalStrategy);
  llvm::erase_if(others, [&](const Record &r) {
    return r.status != MeasureStatus::Ok || !r.verified || r.times.empty() ||
           !isScheduleText(r.schedule);
  });
  llvm::sort(others, [](const Record &a, const Record &b) {
    return std::pair(*medianTime(a), a.schedule) <
           std::pair(*medianTime(b), b.schedule);
  });
  for (const Record &other : others)
    if (entrants.records.size() < kEntrants &&
        other.schedule != choice.record->schedule &&
        *medianTime(other) <= kNear * *medianTime(others.front()))
      entrants.records.push_back(other);
  std::vector<std::string> schedules;
  for (const Record &record : entrants.records)
    schedules.push_back(record.schedule);
  entrants.known = hadFinal(records, kNetworkFinalStrategy, schedules);
  return entrants;
}

/// What a task has in library n of a final: its nth entrant, or its first where
/// it has no more; null where it has none.
static const Record *entrantIn(size_t n, llvm::ArrayRef<Record> entrants) {
  return entrants.empty() ? nullptr : &entrants[n < entrants.size() ? n : 0];
}

/// Whether library n has just these records.
static bool isLibrary(size_t n, llvm::ArrayRef<std::vector<Record>> entrants,
                      llvm::ArrayRef<std::vector<Record>> records) {
  return llvm::all_of_zip(
      entrants, records, [&](const auto &of, const auto &r) {
        const Record *has = entrantIn(n, of);
        return has && !r.empty() ? has->schedule == r.front().schedule
                                 : !has && r.empty();
      });
}

/// The libraries of a final.
llvm::Expected<std::vector<NetworkLibrary>>
Tuner::networkLibraries(mlir::func::FuncOp network,
                        llvm::ArrayRef<std::vector<Record>> entrants,
                        ObjectCache &objects) {
  size_t count = 1;
  for (const std::vector<Record> &of : entrants)
    count = std::max(count, of.size());
  std::vector<ScheduleTexts> schedules(count);
  for (size_t n = 0; n < count; ++n)
    for (auto [task, of] : llvm::zip_equal(tasks, entrants))
      if (const Record *record = entrantIn(n, of))
        schedules[n][mlir::func::FuncOp(task.function).getName()] =
            record->schedule;
  auto libraries = buildNetworks(network, schedules, environment,
                                 pool.filesDirectory(), objects, interrupted);
  if (libraries && libraries->size() < count)
    return llvm::createStringError("interrupted");
  return libraries;
}

/// Stores the times of the tasks that had more than one entrant.
llvm::Error
Tuner::storeNetworkFinal(llvm::ArrayRef<std::vector<Record>> entrants,
                         const NetworkReply &reply) {
  for (size_t n = 0; n < entrants.size(); ++n) {
    const std::vector<Record> &of = entrants[n];
    if (of.size() < 2)
      continue;
    std::vector<Record> stored;
    std::string finalId =
        contentHash(runId + "\nnetwork-final\n" + tasks[n].key + "\n" +
                    of[0].timestamp + std::to_string(Stopwatch::now()));
    for (auto [entrant, library] : llvm::zip(of, reply.libraries)) {
      auto times = llvm::find_if(library.tasks, [&](const auto &task) {
        return task.key == tasks[n].key;
      });
      // What constants decide is not called by the network.
      if (times == library.tasks.end())
        break;
      Record record = blankRecord(tasks[n], entrant.schedule);
      record.runId = finalId;
      record.strategy = kNetworkFinalStrategy.str();
      record.trial = -1 - int64_t(stored.size());
      record.status = MeasureStatus::Ok;
      record.times = times->seconds;
      record.verified = entrant.verified;
      record.verification = entrant.verification;
      makeStorable(record);
      stored.push_back(std::move(record));
    }
    if (stored.size() < of.size())
      continue;
    if (llvm::Error error = append(n, stored))
      return error;
  }
  return llvm::Error::success();
}

/// Lets the best schedules of the tasks that take most of the time compete
/// where they will run, and finds what the network takes. What keeps the
/// network from being built or run is a warning.
llvm::Error Tuner::holdNetworkFinal() {
  mlir::func::FuncOp network =
      findNetwork(tasks.front().function->getParentOfType<mlir::ModuleOp>());
  if (!network || pool.filesDirectory().empty())
    return llvm::Error::success();
  std::vector<Entrants> all;
  double total = 0;
  for (const TuneTask &task : tasks) {
    auto records = readTaskRecords(database, environment, task);
    if (!records)
      return records.takeError();
    all.push_back(entrantsOf(records->current));
    total += task.weight * all.back().seconds;
  }
  std::vector<std::vector<Record>> entrants;
  for (auto [task, of] : llvm::zip_equal(tasks, all)) {
    if ((of.known || task.weight * of.seconds < kLeastShare * total) &&
        of.records.size() > 1)
      of.records.resize(1);
    entrants.push_back(std::move(of.records));
  }
  Stopwatch watch(split.network);
  NetworkRequest request;
  request.threads = environment.threads;
  request.turns = kTurns;
  Progress progress("the network", 0, progressOptions());
  ObjectCache objects;
  // Libraries are built, then timed; perhaps once more, with the winners.
  unsigned steps = 0, allSteps = 2;
  auto step = [&](llvm::StringRef note) {
    progress.update(steps, note);
    tell("network", steps, allSteps);
    ++steps;
  };
  auto time = [&]() -> llvm::Expected<NetworkReply> {
    step("is built");
    if (interrupted())
      return llvm::createStringError("interrupted");
    auto libraries = networkLibraries(network, entrants, objects);
    if (!libraries)
      return libraries.takeError();
    request.libraries = std::move(*libraries);
    step("is timed");
    if (interrupted())
      return llvm::createStringError("interrupted");
    double visits = double(request.turns) * double(request.libraries.size());
    return pool.runNetworks(request, 60 + 20 * visits *
                                              (request.minSeconds + 2 * total));
  };
  auto reply = time();
  size_t winner = 0;
  if (reply && request.libraries.size() > 1) {
    if (llvm::Error error = storeNetworkFinal(entrants, *reply))
      return error;
    std::vector<std::vector<Record>> winners;
    for (const TuneTask &task : tasks) {
      auto record = bestRecord(database, environment, task, false);
      if (!record)
        return record.takeError();
      winners.emplace_back();
      if (*record)
        winners.back().push_back(std::move(**record));
    }
    // What it will be with the winners, if that was not one of them.
    const size_t count = request.libraries.size();
    while (winner < count && !isLibrary(winner, entrants, winners))
      ++winner;
    if (winner == count) {
      entrants = std::move(winners);
      winner = 0;
      allSteps = 4;
      reply = time();
    }
  }
  if (reply)
    tell("network", allSteps, allSteps);
  if (!reply) {
    std::string reason = llvm::toString(reply.takeError());
    if (!interrupted())
      *options.hooks.log
          << "pruner-tune: warning: the network could not be timed (" << reason
          << ")\n";
    return llvm::Error::success();
  }
  const NetworkLibraryTimes &times = reply->libraries[winner];
  networkTimes = NetworkOutcome{};
  Record whole;
  whole.times = times.seconds;
  networkTimes->seconds = *medianTime(whole);
  for (const NetworkTaskTimes &task : times.tasks) {
    whole.times = task.seconds;
    networkTimes->taskSeconds += double(task.calls) * *medianTime(whole);
  }
  return readOutcomes();
}
