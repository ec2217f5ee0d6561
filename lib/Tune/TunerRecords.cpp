//===- TunerRecords.cpp - store and replay the records of a run -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rounds.h"

#include "pruner/TaskRecords/RecordCheck.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/JsonLines.h"

#include <ctime>
#include <map>

using namespace pruner;

MeasureJob Tuner::job(const ModuleTask &task) const {
  MeasureJob job = measureJob(environment, task);
  job.seed = int64_t(options.seed);
  return job;
}

Record Tuner::blankRecord(const ModuleTask &task,
                          llvm::StringRef schedule) const {
  Record record = ::pruner::blankRecord(environment, task, schedule);
  record.runId = runId;
  record.strategy = options.strategy->name().str();
  record.seed = options.seed;
  return record;
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

void Tuner::noteDefault(unsigned n, const Record &record) {
  TaskOutcome &outcome = results[n];
  outcome.defaultSeconds = std::nullopt;
  if (record.status == MeasureStatus::Ok)
    outcome.defaultSeconds = medianTime(record);
  outcome.defaultReason = record.reason;
  outcome.defaultStatus = record.status;
  // Set a reason, so that the default is not measured again.
  if (!outcome.defaultSeconds && outcome.defaultReason.empty())
    outcome.defaultReason = stringifyMeasureStatus(record.status).str();
}

/// Stores new measurements. Fails if not all were stored. Records keep their
/// trial numbers if these are free.
llvm::Error Tuner::append(unsigned n, llvm::ArrayRef<Record> records) {
  const StoredTask task = tasks[n].stored();
  RecordBatch batch;
  batch.tasks = task;
  batch.records = records;
  batch.fresh = true;
  auto counts = database.append(batch);
  if (!counts)
    return counts.takeError();
  if (counts->added == records.size())
    return llvm::Error::success();
  return llvm::createStringError(
      "'" + database.path() + "': only " + llvm::Twine(counts->added) + " of " +
      llvm::Twine(records.size()) + " measurements of '" + tasks[n].desc.name +
      "' were stored");
}

/// Returns the record of a measured trial, without its number.
Record Tuner::recordOf(const Trial &trial, llvm::StringRef schedule,
                       const MeasureResult &result) const {
  Record record = blankRecord(tasks[trial.task], schedule);
  record.round = trial.round;
  setOutcome(record, result);
  record.score = trial.score;
  record.psaLatency = trial.draftSeconds;
  // Without a device only a wrong result is a failure of what was built.
  if (options.buildOnly && result.build.status == MeasureStatus::Ok &&
      !result.build.format.empty() &&
      result.status != MeasureStatus::WrongResult) {
    record.status = MeasureStatus::Unmeasured;
    record.reason = "no device of the target";
    if (!result.ok())
      record.reason += "; not emulated: " + result.reason;
    dropOutcome(record);
  }
  makeStorable(record);
  return record;
}

/// The inverse. New and replayed trials both come from their records, so that a
/// resumed run has the same trials.
Trial Tuner::trialOf(unsigned n, const Schedule &schedule,
                     const Record &record) const {
  Trial trial;
  trial.schedule = schedule;
  trial.task = n;
  trial.round = unsigned(record.round);
  trial.draftSeconds = record.psaLatency.value_or(0);
  if (model && record.score)
    trial.score = float(*record.score);
  if (record.status == MeasureStatus::Ok)
    trial.seconds = medianTime(record);
  trial.verified = record.verified;
  return trial;
}

/// Counts a trial and adds it to the rounds. Returns true if it failed.
bool Tuner::count(const Trial &trial, const Record &record) {
  TaskOutcome &outcome = results[trial.task];
  ++outcome.trials;
  ++done;
  bool failed = record.status != MeasureStatus::Ok &&
                record.status != MeasureStatus::Unmeasured;
  outcome.failed += failed;
  rounds->add(trial);
  outcome.bestSeconds = rounds->best(trial.task);
  notePrediction(trial.task, record);
  return failed;
}

/// Keeps the best built candidate of a run without a device.
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

/// Stores all measured trials and returns true if there was one.
llvm::Expected<bool> Tuner::store(llvm::ArrayRef<Trial> trials,
                                  llvm::ArrayRef<MeasureItem> items,
                                  llvm::ArrayRef<MeasureResult> measured) {
  bool cut = false, any = false;
  std::string failure;
  for (size_t i = 0; i < trials.size();) {
    const unsigned n = trials[i].task;
    std::vector<Record> records;
    std::vector<const Schedule *> finished;
    for (; i < trials.size() && trials[i].task == n; ++i) {
      const MeasureResult &result = measured[i];
      // Without a worker the candidate has no result. Candidates after it that
      // failed to build wait as well, so that the order of trials is that of an
      // undisturbed run.
      cut |= result.noWorker;
      if (result.noWorker || (cut && result.runWallSeconds == 0))
        continue;
      finished.push_back(&trials[i].schedule);
      records.push_back(recordOf(trials[i], items[i].schedule, result));
      records.back().trial = done + records.size() - 1;
      split.build += result.buildWallSeconds;
      split.measure += result.runWallSeconds;
    }
    if (records.empty())
      continue;
    any = true;
    if (llvm::Error error = append(n, records)) {
      // The measurements are saved in another file; save the rest there, too.
      std::string problem = llvm::toString(std::move(error));
      if (failure.empty())
        failure = std::move(problem);
      continue;
    }
    for (auto [schedule, record] : llvm::zip_equal(finished, records)) {
      ++fresh;
      failures += count(trialOf(n, *schedule, record), record);
    }
  }
  if (!failure.empty())
    return llvm::createStringError(failure);
  return any;
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// Replays one record of this run. Records come in the order in which they were
/// made. A record that cannot be true is skipped, and the reason is returned.
std::string Tuner::replay(const Record &record, unsigned n,
                          RecordCheck &check) {
  std::string problem = check.problemOf(record, tasks[n].desc);
  if (!problem.empty())
    return problem;
  if (record.schedule == kDefaultSchedule) {
    noteDefault(n, record);
    return "";
  }
  ScheduleAttr attribute =
      parseScheduleText(record.schedule, tasks[n].function->getContext());
  if (attribute && llvm::isUInt<31>(record.round))
    count(trialOf(n, attribute.getValue(), record), record);
  return "";
}

/// Replays the recorded trials of this run.
llvm::Error Tuner::replay() {
  std::map<std::string, unsigned> numbers;
  for (auto [n, task] : llvm::enumerate(tasks))
    numbers[task.key] = n;
  RecordQuery query;
  query.runId = runId;
  query.generator = generatorIdentity().str();
  RecordCheck check(*tasks.front().function->getContext(), &environment);
  unsigned rejected = 0, stamps = 0;
  std::string first;
  auto visit = [&](const Record &record) {
    auto number = numbers.find(record.taskKey);
    if (number == numbers.end())
      return llvm::Error::success();
    std::string problem = replay(record, number->second, check);
    if (problem.empty())
      return llvm::Error::success();
    if (rejected++ == 0)
      first = "trial " + std::to_string(record.trial) + ": " + problem;
    stamps += !timestampProblem(record.timestamp, std::time(nullptr)).empty();
    return llvm::Error::success();
  };
  std::vector<BadRow> bad;
  if (llvm::Error error = database.forEach(query, visit, &bad))
    return error;
  if (llvm::Error error =
          warnOfReadRows(database, bad, tasks.front().function->getLoc()))
    return error;
  // Otherwise skipped trials would look as if they had never been measured.
  if (rejected > 0)
    *options.hooks.log
        << "pruner-tune: warning: " << rejected
        << " recorded trials of this run cannot be true and are not used ("
        << first << ")"
        << (stamps > 0 ? "; " + std::to_string(stamps) +
                             " of them have a wrong time stamp, because a "
                             "clock was or is wrong; 'pruner db repair' "
                             "corrects the time stamps"
                       : "")
        << "\n";
  if (done > 0)
    *options.hooks.log << "pruner-tune: continuing after " << done
                       << " recorded trials\n";
  return llvm::Error::success();
}
