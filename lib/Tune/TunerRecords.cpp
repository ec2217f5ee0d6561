//===- TunerRecords.cpp - what a tuner stores and reads back ------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TunerSession.h"

#include "pruner/Tune/RecordJudge.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/JsonLines.h"

#include <ctime>
#include <map>

using namespace pruner;

MeasureJob Tuner::job(const TuneTask &task) const {
  MeasureJob job = measureJob(environment, task);
  job.seed = int64_t(options.seed);
  return job;
}

Record Tuner::blankRecord(const TuneTask &task,
                          llvm::StringRef schedule) const {
  Record record = ::pruner::blankRecord(environment, task, schedule);
  record.runId = runId;
  record.strategy = options.strategy;
  record.seed = options.seed;
  return record;
}

pruner::Task Tuner::storedTask(unsigned n) const {
  const TuneTask &task = tasks[n];
  return {task.key, task.desc.name, task.text, task.flops, task.bytes};
}

std::string Tuner::scheduleText(const Schedule &schedule) const {
  mlir::MLIRContext *context = tasks.front().function->getContext();
  std::string text;
  llvm::raw_string_ostream(text) << ScheduleAttr::get(context, schedule);
  return text;
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

/// Enters a trial in the task's account. True if it failed.
bool Tuner::count(unsigned n, const Record &record) {
  TaskOutcome &outcome = results[n];
  ++outcome.trials;
  ++done;
  bool failed = record.status != MeasureStatus::Ok &&
                record.status != MeasureStatus::Unmeasured;
  outcome.failed += failed;
  std::optional<double> time = medianTime(record);
  if (record.status == MeasureStatus::Ok && record.verified && time &&
      (!outcome.bestSeconds || *time < *outcome.bestSeconds))
    outcome.bestSeconds = time;
  notePrediction(n, record);
  return failed;
}

/// Keeps the best of the built candidates that nobody measured.
void Tuner::notePrediction(unsigned n, const Record &record) {
  if (record.status != MeasureStatus::Unmeasured || !record.psaLatency)
    return;
  std::optional<Record> &best = predictions[n];
  if (best && !betterPrediction(record, *best))
    return;
  best = record;
  results[n].predictedSeconds = record.psaLatency;
  llvm::Expected<llvm::json::Object> facts = parseJsonObject(record.facts);
  if (!facts)
    return llvm::consumeError(facts.takeError());
  results[n].facts = std::move(*facts);
}

/// Stores what was measured, whatever became of the rest, and tells what was.
llvm::Expected<llvm::BitVector>
Tuner::store(unsigned n, llvm::ArrayRef<Candidate> candidates,
             llvm::ArrayRef<std::string> schedules,
             llvm::ArrayRef<MeasureResult> measured) {
  const TuneTask &task = tasks[n];
  std::vector<Record> records;
  llvm::BitVector finished(candidates.size());
  bool cut = false;
  for (auto [i, candidate, schedule, result] :
       llvm::enumerate(candidates, schedules, measured)) {
    // A failure that is none. What only failed to build behind it waits for it:
    // the order of trials stays that of a run which nobody disturbed.
    cut |= result.noWorker;
    if (result.noWorker || (cut && result.runWallSeconds == 0))
      continue;
    finished.set(i);
    Record record = blankRecord(task, schedule);
    record.trial = done + records.size();
    record.round = sessions[n]->search->rounds() - 1;
    setOutcome(record, result);
    if (model)
      record.score = candidate.score;
    record.psaLatency = candidate.draftSeconds;
    if (options.buildOnly && result.ok()) {
      record.status = MeasureStatus::Unmeasured;
      record.reason = "no device of the target";
      dropOutcome(record);
    }
    split.build += result.buildWallSeconds;
    split.measure += result.runWallSeconds;
    makeStorable(record);
    records.push_back(std::move(record));
  }
  if (records.empty())
    return finished;
  auto counts = database.append({storedTask(n), records});
  if (!counts)
    return counts.takeError();
  for (auto [i, record] : llvm::zip_equal(finished.set_bits(), records)) {
    ++fresh;
    failures += count(n, record);
    sessions[n]->measured.push_back(
        {candidates[i].schedule, medianTime(record)});
  }
  return finished;
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// A round as the records tell it.
struct Tuner::PastRound {
  unsigned task;
  int64_t number;
  std::vector<Observation> observations;
  std::optional<double> best; ///< Of the task, after the round; seconds.
};

/// Reads the run's trials; rounds are in the order in which they were begun.
llvm::Expected<std::vector<Tuner::PastRound>> Tuner::readRounds() {
  std::map<std::string, unsigned> numbers;
  for (auto [n, task] : llvm::enumerate(tasks))
    numbers[task.key] = n;
  std::vector<PastRound> rounds;
  std::map<std::pair<unsigned, int64_t>, size_t> where;
  mlir::MLIRContext *context = tasks.front().function->getContext();

  RecordQuery query;
  query.runId = runId;
  query.generator = generatorIdentity().str();
  int64_t now = std::time(nullptr);
  auto visit = [&](Record record) -> llvm::Error {
    auto number = numbers.find(record.taskKey);
    if (number == numbers.end())
      return llvm::Error::success();
    unsigned n = number->second;
    // Named where records are chosen from. To search it is as if that trial
    // had not been made.
    if (!problemOf(record, tasks[n].desc, *context, now).empty())
      return llvm::Error::success();
    std::optional<double> time;
    if (record.status == MeasureStatus::Ok)
      time = medianTime(record);
    if (record.schedule == kDefaultSchedule) {
      results[n].defaultSeconds = time;
      results[n].defaultReason = record.reason;
      return llvm::Error::success();
    }
    ScheduleAttr attribute = parseScheduleText(record.schedule, context);
    if (!attribute)
      return llvm::Error::success();
    count(n, record);
    auto [at, first] = where.insert({{n, record.round}, rounds.size()});
    if (first)
      rounds.push_back({n, record.round, {}, std::nullopt});
    PastRound &round = rounds[at->second];
    round.observations.push_back({attribute.getValue(), time});
    round.best = results[n].bestSeconds;
    return llvm::Error::success();
  };
  if (llvm::Error error = database.forEach(query, visit))
    return error;
  return rounds;
}

/// Puts search, model and task scheduler where the records of this run left
/// them: each learns from complete rounds alone, as it did before. Of a round
/// that was cut the candidates are proposed again, since they follow from the
/// rounds before it, and what is missing is measured first.
llvm::Error Tuner::replay() {
  auto past = readRounds();
  if (!past)
    return past.takeError();
  if (past->empty())
    return llvm::Error::success();
  llvm::errs() << "pruner-tune: continuing after " << done
               << " recorded trials\n";
  if (done >= options.trials)
    return llvm::Error::success();

  // After the first rounds only one is under way at a time. A round may also
  // be short because the space has no more to offer; then nothing is missing.
  bool later =
      llvm::any_of(*past, [](const PastRound &r) { return r.number > 0; });
  std::vector<PastRound *> complete, cut;
  for (PastRound &round : *past) {
    bool mayBeCut = round.observations.size() < options.batch &&
                    (!later || &round == &past->back());
    (mayBeCut ? cut : complete).push_back(&round);
  }
  // As in endWarmUp: the first rounds are told in the order of the tasks.
  llvm::stable_sort(complete, [](const PastRound *a, const PastRound *b) {
    return a->number == 0 && (b->number != 0 || a->task < b->task);
  });
  std::vector<std::vector<Observation>> observed(tasks.size());
  std::vector<unsigned> next(tasks.size(), 0);
  for (const PastRound *round : complete) {
    unsigned n = round->task;
    observed[n].insert(observed[n].end(), round->observations.begin(),
                       round->observations.end());
    next[n] = std::max(next[n], unsigned(round->number) + 1);
    sessions[n]->warm = true;
    sessions[n]->measured = round->observations;
    if (!later)
      continue; // They wait for the others.
    if (warmingUp && round->number > 0) {
      warmingUp = false;
      lessons.push_back(training.size());
    }
    learn(n, round->best);
    if (round->number > 0)
      lessons.push_back(training.size());
  }
  for (unsigned n = 0; n < tasks.size(); ++n) {
    if (later)
      sessions[n]->warm = true;
    sessions[n]->search->resume(next[n], observed[n]);
  }
  if (warmingUp && llvm::all_of(sessions, [](auto &s) { return s->warm; })) {
    endWarmUp();
    lessons.push_back(training.size());
  }
  repeatTraining();
  for (PastRound *round : cut) {
    unsigned n = round->task;
    sessions[n]->measured = std::move(round->observations);
    propose(n);
    if (sessions[n]->pending.empty())
      finishRound(n);
  }
  return llvm::Error::success();
}

/// Trains the model as often, with the same measurements and in the same order
/// as before. Where a training forgets the former ones, the last is enough.
void Tuner::repeatTraining() {
  if (!model || options.buildOnly)
    return;
  Stopwatch watch(split.train);
  if (!model->updatesFromScratch()) {
    for (size_t count : lessons)
      training.train(*model, count);
    return;
  }
  for (size_t count : llvm::reverse(lessons))
    if (training.train(*model, count).trained)
      return;
}
