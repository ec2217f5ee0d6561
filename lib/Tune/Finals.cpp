//===- Finals.cpp - the last word between the best schedules --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "Stopwatch.h"

#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Tune/Tuner.h"

using namespace pruner;

/// Turns of a final, and of one between schedules that take longer than
/// kSlowSeconds each.
static constexpr unsigned kTurns = 8, kSlowTurns = 4;
static constexpr double kSlowSeconds = 0.1;

/// Compares the best schedules of a task, unless the database has that
/// comparison already.
llvm::Error Tuner::holdFinal(unsigned n) {
  auto known = readTaskRecords(database, environment, tasks[n]);
  if (!known)
    return known.takeError();
  const std::vector<Record> &records = known->current;
  std::vector<std::string> schedules = finalists(records);
  // What earlier builds, or networks that leave the caches otherwise, found the
  // fastest takes part once: it may still be.
  bool invited = false;
  for (const std::vector<Record> &others : {known->older, known->elsewhere}) {
    std::optional<Record> guest = chooseRecord(others).record;
    auto same = [&](const Record &r) { return r.schedule == guest->schedule; };
    if (!guest || llvm::any_of(records, same) ||
        llvm::is_contained(schedules, guest->schedule))
      continue;
    schedules.insert(schedules.begin(), guest->schedule);
    invited = true;
  }
  if ((schedules.size() < 2 && !invited) ||
      hadFinal(records, kFinalStrategy, schedules))
    return llvm::Error::success();
  if (invited)
    *options.hooks.log
        << "pruner-tune: " << tasks[n].desc.name
        << ": the best schedule of earlier builds or other states of "
           "the caches takes part in the final\n";

  double best = results[n].bestSeconds.value_or(0);
  MeasureJob final = job(tasks[n]);
  // Times scatter between turns: two samples of each do, or one long run.
  if (best > 0)
    final.minSamples = best < final.minSeconds ? 2 : 1;
  const unsigned turns = best > kSlowSeconds ? kSlowTurns : kTurns;
  std::vector<ComparedResult> compared;
  {
    Stopwatch watch(split.measure);
    compared = pool.compare(final, schedules, turns);
  }
  // A final is told from others by its run.
  auto last = database.lastRecord();
  if (!last)
    return last.takeError();
  std::string finalId =
      contentHash(runId + "\nfinal\n" + std::to_string(*last));
  std::vector<Record> stored;
  for (auto [schedule, entry] : llvm::zip_equal(schedules, compared)) {
    // A comparison that was cut compares nothing; the next run holds it again.
    if (entry.result.noWorker ||
        (entry.result.ok() && entry.seconds.size() != turns)) {
      if (!interrupted())
        *options.hooks.log
            << "pruner-tune: warning: '" << tasks[n].desc.name
            << "': the final between the best schedules could not be "
               "held ("
            << entry.result.reason << ")\n";
      return llvm::Error::success();
    }
    Record record = blankRecord(tasks[n], schedule);
    record.runId = finalId;
    record.strategy = kFinalStrategy.str();
    // Not a trial.
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

llvm::Error Tuner::holdFinals() {
  Progress progress("finals", tasks.size(), progressOptions());
  for (unsigned n = 0; n < tasks.size(); ++n) {
    tell("finals", n, tasks.size(), n);
    if (interrupted())
      break;
    if (llvm::Error error = holdFinal(n))
      return error;
    progress.update(n + 1, tasks[n].desc.name);
  }
  tell("finals", tasks.size(), tasks.size());
  return readOutcomes();
}

/// Reports what the database alone says, as pruner-apply-best will find it.
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
    outcome.keptDefault = choice.keptDefault;
  }
  return llvm::Error::success();
}
