//===- CompareInNetwork.cpp - compare schedules in the network ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuildNetwork.h"
#include "Interrupt.h"
#include "Stopwatch.h"

#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"
#include "pruner/Tune/Tuner.h"

#include <cmath>

using namespace pruner;

/// The largest number of schedules of a task in the comparison. The first is
/// the one that is applied; the others are within kNear of the fastest. Times
/// alone and in the network differ by about as much.
static constexpr size_t kMaxFinalists = 3;
static constexpr double kNear = 1.3;
/// Tasks with a smaller share of the total time have only one finalist. They
/// could gain little, and the times of short calls vary most.
static constexpr double kLeastShare = 0.02;
/// The number of interleaved turns. In 77 comparisons of eight turns, five or
/// six turns chose no faster schedules than four, as judged by the turns left
/// out.
static constexpr int64_t kTurns = 4;

namespace {
/// The schedules that may be applied to a task, best first, after the
/// comparison of the task alone; empty if the untuned default is kept.
struct NetworkFinalists {
  std::vector<Record> records;
  double seconds = 0; ///< Of one call of the applied schedule.
  bool known = false; ///< These were compared in the network before.
};
} // namespace

static NetworkFinalists networkFinalistsOf(llvm::ArrayRef<Record> records) {
  NetworkFinalists finalists;
  Choice choice = chooseRecord(records);
  finalists.seconds = choice.seconds.value_or(0);
  if (!choice.record)
    return finalists;
  finalists.records.push_back(*choice.record);
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
    if (finalists.records.size() < kMaxFinalists &&
        other.schedule != choice.record->schedule &&
        *medianTime(other) <= kNear * *medianTime(others.front()))
      finalists.records.push_back(other);
  std::vector<std::string> schedules;
  for (const Record &record : finalists.records)
    schedules.push_back(record.schedule);
  finalists.known = hadFinal(records, kNetworkFinalStrategy, schedules);
  return finalists;
}

/// Returns the finalist of a task in library n: the nth one, or the first if
/// there are fewer; null if there is none.
static const Record *finalistIn(size_t n, llvm::ArrayRef<Record> finalists) {
  return finalists.empty() ? nullptr : &finalists[n < finalists.size() ? n : 0];
}

/// Returns true if library n was built with exactly these records.
static bool isLibrary(size_t n, llvm::ArrayRef<std::vector<Record>> finalists,
                      llvm::ArrayRef<std::vector<Record>> records) {
  return llvm::all_of_zip(
      finalists, records, [&](const auto &of, const auto &r) {
        const Record *has = finalistIn(n, of);
        return has && !r.empty() ? has->schedule == r.front().schedule
                                 : !has && r.empty();
      });
}

/// Builds the libraries of a comparison.
llvm::Expected<std::vector<NetworkLibrary>>
Tuner::networkLibraries(mlir::func::FuncOp network,
                        llvm::ArrayRef<std::vector<Record>> finalists,
                        ObjectCache &objects) {
  size_t count = 1;
  for (const std::vector<Record> &of : finalists)
    count = std::max(count, of.size());
  std::vector<ScheduleTexts> schedules(count);
  for (size_t n = 0; n < count; ++n)
    for (auto [task, of] : llvm::zip_equal(tasks, finalists))
      if (const Record *record = finalistIn(n, of))
        schedules[n][mlir::func::FuncOp(task.function).getName()] =
            record->schedule;
  auto libraries = buildNetworks(network, schedules, environment,
                                 pool.filesDirectory(), objects, interrupted);
  if (libraries && libraries->size() < count)
    return llvm::createStringError("interrupted");
  return libraries;
}

/// Stores the times of the tasks with more than one finalist.
llvm::Error
Tuner::storeNetworkComparison(llvm::ArrayRef<std::vector<Record>> finalists,
                              const NetworkReply &reply) {
  for (size_t n = 0; n < finalists.size(); ++n) {
    const std::vector<Record> &of = finalists[n];
    if (of.size() < 2)
      continue;
    std::vector<Record> stored;
    std::string finalId =
        contentHash(runId + "\nnetwork-final\n" + tasks[n].key + "\n" +
                    of[0].timestamp + std::to_string(Stopwatch::now()));
    for (auto [finalist, library] : llvm::zip(of, reply.libraries)) {
      auto times = llvm::find_if(library.tasks, [&](const auto &task) {
        return task.key == tasks[n].key;
      });
      // The network does not call tasks that depend on constants alone.
      if (times == library.tasks.end())
        break;
      Record record = blankRecord(tasks[n], finalist.schedule);
      record.runId = finalId;
      record.strategy = kNetworkFinalStrategy.str();
      record.trial = -1 - int64_t(stored.size());
      record.status = MeasureStatus::Ok;
      record.times = times->seconds;
      record.verified = finalist.verified;
      record.verification = finalist.verification;
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

/// Compares the best schedules of the heaviest tasks inside the compiled
/// network, and times the network. If the network cannot be built or run, a
/// warning says so.
llvm::Error Tuner::compareInNetwork() {
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  mlir::func::FuncOp network = findNetwork(module);
  if (!network || pool.filesDirectory().empty())
    return llvm::Error::success();
  std::vector<NetworkFinalists> all;
  double total = 0;
  const std::vector<double> calls =
      readNetwork(module, tasks).fastestCalls(callSeconds(results));
  for (auto [task, count] : llvm::zip_equal(tasks, calls)) {
    auto records = readTaskRecords(database, environment, task);
    if (!records)
      return records.takeError();
    all.push_back(networkFinalistsOf(records->current));
    total += count * all.back().seconds;
  }
  std::vector<std::vector<Record>> finalists;
  for (auto [count, of] : llvm::zip_equal(calls, all)) {
    if ((of.known || count * of.seconds < kLeastShare * total) &&
        of.records.size() > 1)
      of.records.resize(1);
    finalists.push_back(std::move(of.records));
  }
  Stopwatch watch(split.network);
  NetworkRequest request;
  request.threads = environment.threads;
  request.turns = kTurns;
  Progress progress("the network", 0, progressOptions());
  ObjectCache objects;
  // Libraries are built and timed, and sometimes once more with the winners.
  unsigned steps = 0, allSteps = 2;
  auto step = [&](llvm::StringRef note) {
    progress.update(steps, note);
    reportStatus("network", steps, allSteps);
    ++steps;
  };
  auto time = [&]() -> llvm::Expected<NetworkReply> {
    step("is built");
    if (interrupted())
      return llvm::createStringError("interrupted");
    auto libraries = networkLibraries(network, finalists, objects);
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
    if (llvm::Error error = storeNetworkComparison(finalists, *reply))
      return error;
    std::vector<std::vector<Record>> winners;
    for (const ModuleTask &task : tasks) {
      auto record = bestRecord(database, environment, task, false);
      if (!record)
        return record.takeError();
      winners.emplace_back();
      if (*record)
        winners.back().push_back(std::move(**record));
    }
    // Build and time the network with all winners, unless it was one of the
    // libraries.
    const size_t count = request.libraries.size();
    while (winner < count && !isLibrary(winner, finalists, winners))
      ++winner;
    if (winner == count) {
      finalists = std::move(winners);
      winner = 0;
      allSteps = 4;
      reply = time();
    }
  }
  if (reply)
    reportStatus("network", allSteps, allSteps);
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
