//===- CompareFinalists.cpp - compare the best schedules of tasks ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"
#include "Stopwatch.h"

#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Tune/Tuner.h"

using namespace pruner;

/// The number of interleaved turns, also for schedules that take longer than
/// kSlowSeconds each.
static constexpr unsigned kTurns = 8, kSlowTurns = 4;
static constexpr double kSlowSeconds = 0.1;

/// Compares the best schedules of a task, unless the database has that
/// comparison already.
llvm::Error Tuner::compareFinalistsOf(unsigned n) {
  auto known = readTaskRecords(database, environment, tasks[n]);
  if (!known)
    return known.takeError();
  const std::vector<Record> &records = known->current;
  std::vector<std::string> schedules = finalists(records);
  // The fastest schedules of earlier builds and of other cache states take part
  // once, because they may still be the fastest.
  bool hasInvited = false;
  for (const std::vector<Record> &others :
       {known->older, known->otherCacheStates}) {
    std::optional<Record> invited = chooseRecord(others).record;
    auto same = [&](const Record &r) {
      return r.schedule == invited->schedule;
    };
    if (!invited || llvm::any_of(records, same) ||
        llvm::is_contained(schedules, invited->schedule))
      continue;
    schedules.insert(schedules.begin(), invited->schedule);
    hasInvited = true;
  }
  if ((schedules.size() < 2 && !hasInvited) ||
      hadFinal(records, kFinalStrategy, schedules))
    return llvm::Error::success();
  if (hasInvited)
    *options.hooks.log
        << "pruner-tune: " << tasks[n].desc.name
        << ": the best schedule of earlier builds or other cache states takes "
           "part in the head-to-head comparison\n";

  double best = results[n].bestSeconds.value_or(0);
  MeasureJob final = job(tasks[n]);
  // Times vary more between turns than within one, so two samples per turn are
  // enough, or one long run.
  if (best > 0)
    final.minSamples = best < final.minSeconds ? 2 : 1;
  const unsigned turns = best > kSlowSeconds ? kSlowTurns : kTurns;
  std::vector<ComparedResult> compared;
  {
    Stopwatch watch(split.measure);
    compared = pool.compare(final, schedules, turns);
  }
  // Each comparison has its own run id.
  auto last = database.lastRecord();
  if (!last)
    return last.takeError();
  std::string finalId =
      contentHash(runId + "\nfinal\n" + std::to_string(*last));
  std::vector<Record> stored;
  for (auto [schedule, entry] : llvm::zip_equal(schedules, compared)) {
    // An interrupted comparison is not stored; the next run repeats it.
    if (entry.result.noWorker ||
        (entry.result.ok() && entry.seconds.size() != turns)) {
      if (!interrupted())
        *options.hooks.log << "pruner-tune: warning: '" << tasks[n].desc.name
                           << "': the best schedules could not be compared ("
                           << entry.result.reason << ")\n";
      return llvm::Error::success();
    }
    Record record = blankRecord(tasks[n], schedule);
    record.runId = finalId;
    record.strategy = kFinalStrategy.str();
    // Negative numbers are not trials.
    record.trial = -1 - int64_t(stored.size());
    record.status = entry.result.status;
    record.reason = entry.result.reason;
    record.buildSeconds = entry.result.buildWallSeconds;
    record.runSeconds = entry.result.runWallSeconds;
    if (entry.result.ok()) {
      record.times = entry.seconds;
      record.noisy = entry.noisy;
      setVerdict(record, entry.result.run);
    }
    makeStorable(record);
    stored.push_back(std::move(record));
  }
  return append(n, stored);
}

llvm::Error Tuner::compareFinalists() {
  Progress progress("comparisons", tasks.size(), progressOptions());
  for (unsigned n = 0; n < tasks.size(); ++n) {
    reportStatus("finals", n, tasks.size(), n);
    if (interrupted())
      break;
    if (llvm::Error error = compareFinalistsOf(n))
      return error;
    progress.update(n + 1, tasks[n].desc.name);
  }
  reportStatus("finals", tasks.size(), tasks.size());
  return readOutcomes();
}

/// Reads the results from the database, as pruner-apply-best does.
llvm::Error Tuner::readOutcomes() {
  for (auto [task, outcome] : llvm::zip_equal(tasks, results)) {
    auto records = readTaskRecords(database, environment, task);
    if (!records)
      return records.takeError();
    Choice choice = chooseRecord(records->current);
    if (choice.seconds)
      outcome.bestSeconds = choice.seconds;
    if (choice.defaultSeconds)
      outcome.defaultSeconds = choice.defaultSeconds;
    outcome.callTimes = callTimes(records->current);
    outcome.keptDefault = choice.keptDefault;
  }
  return llvm::Error::success();
}
