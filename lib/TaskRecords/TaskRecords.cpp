//===- TaskRecords.cpp - read and create the records of a task ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TaskRecords/TaskRecords.h"
#include "pruner/TaskRecords/RecordCheck.h"

#include "TimeBound.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Verification/Method.h"

#include "llvm/Support/FormatVariadic.h"

using namespace pruner;

Record pruner::blankRecord(const Environment &environment,
                           const ModuleTask &task, llvm::StringRef schedule) {
  Record record;
  record.taskKey = task.key;
  record.schedule = schedule.str();
  record.target = environment.target.str();
  record.machineKey = environment.machineKey();
  record.pipelineOptions = environment.pipelineOptions();
  record.toolchain = Environment::toolchain();
  record.generator = generatorIdentity().str();
  record.cacheState = task.cacheState.str();
  record.timestamp = currentTimestamp();
  record.host = environment.machine.name;
  record.prunerVersion = Environment::prunerVersion().str();
  return record;
}

void pruner::setVerdict(Record &record, const RunReply &run) {
  record.verified = run.verified;
  record.verification = run.method;
  record.exact = run.exact;
  record.errorOverBound = run.errorOverBound;
}

void pruner::dropOutcome(Record &record) {
  record.times.clear();
  record.runsPerSample.reset();
  record.repeats.reset();
  record.censored.reset();
  record.noisy.reset();
  setVerdict(record, RunReply());
}

void pruner::setOutcome(Record &record, const MeasureResult &result) {
  record.status = result.status;
  record.reason = result.reason;
  record.buildSeconds = result.buildWallSeconds;
  record.runSeconds = result.runWallSeconds;
  if (result.ok()) {
    const RunReply &run = result.run;
    record.times = run.times;
    if (record.times.empty())
      record.times = {run.median};
    record.runsPerSample = run.runsPerSample;
    record.repeats = run.repeats;
    record.censored = run.censored;
    record.noisy = run.noisy;
    setVerdict(record, run);
  }
  llvm::json::Object facts = result.build.facts;
  facts["stages"] = llvm::json::Object(result.build.stages);
  if (result.ok() && !result.run.place.empty())
    facts["place"] = result.run.place;
  if (result.ok() && result.run.emulated)
    facts["emulated"] = *result.run.emulated;
  record.facts = llvm::formatv("{0}", llvm::json::Value(std::move(facts)));
}

MeasureJob pruner::measureJob(const Environment &environment,
                              const ModuleTask &task) {
  MeasureJob job;
  job.key = task.key;
  job.text = task.text;
  job.target = environment.target.str();
  job.threads = environment.threads;
  job.reuseDistances.assign(task.cacheState.distances.begin(),
                            task.cacheState.distances.end());
  job.leastSeconds =
      leastSeconds(task.desc, environment.machine, environment.threads);
  return job;
}

void pruner::makeStorable(Record &record) {
  Record copy = record;
  llvm::Error error = normalizeRecord(copy);
  if (!error)
    return;
  record.status = MeasureStatus::RunCrash;
  record.reason = "the worker's reply cannot be stored: " +
                  llvm::toString(std::move(error));
  dropOutcome(record);
  record.facts = "{}";
}

/// Returns the spilled bytes that the assembler reported; 0 if unknown.
static int64_t spillBytes(const Record &record) {
  llvm::Expected<llvm::json::Object> facts = parseJsonObject(record.facts);
  if (!facts) {
    llvm::consumeError(facts.takeError());
    return 0;
  }
  return facts->getInteger("spill_store_bytes").value_or(0);
}

bool pruner::betterPrediction(const Record &a, const Record &b) {
  bool aSpills = spillBytes(a) > 0, bSpills = spillBytes(b) > 0;
  if (aSpills != bSpills)
    return bSpills;
  return *a.psaLatency < *b.psaLatency;
}

/// Returns true if the record was made from code of this build, and verified
/// with this build's method or by a user's runner that names no method.
static bool isCurrent(const Record &record) {
  return record.toolchain == Environment::toolchain() &&
         record.generator == generatorIdentity() &&
         (record.verification.empty() ||
          record.verification == verificationMethod);
}

llvm::Expected<TaskRecords>
pruner::readTaskRecords(Database &database, const Environment &environment,
                        const ModuleTask &task, bool warn, bool unmeasured) {
  mlir::func::FuncOp function = task.function;
  const std::string state = task.cacheState.str();
  std::vector<BadRow> bad;
  auto settings = database.settings(environment.query(task), warn, bad);
  if (!settings)
    return settings.takeError();
  llvm::erase_if(*settings, [&](const Setting &setting) {
    return setting.example.pipelineOptions != environment.pipelineOptions();
  });
  RecordCheck check(*function->getContext(), &environment);
  constexpr unsigned kMostNamed = 20;
  unsigned rejected = 0;
  auto accept = [&](const Record &record) {
    std::string problem = check.problemOf(record, task.desc);
    rejected += !problem.empty();
    if (!problem.empty() && warn && rejected <= kMostNamed)
      mlir::emitWarning(function.getLoc())
          << "'" << database.path() << "': trial " << record.trial
          << " of run '" << record.runId << "': " << problem
          << "; the record is not used";
    return problem.empty();
  };
  auto selection = database.select(*settings, unmeasured, accept);
  if (!selection)
    return selection.takeError();
  TaskRecords records;
  auto isHere = [&](const Record &record) {
    return isCurrent(record) && record.cacheState == state;
  };
  for (Record &record : selection->records)
    (!isCurrent(record) ? records.older
     : isHere(record)   ? records.current
                        : records.otherCacheStates)
        .push_back(std::move(record));
  if (!warn)
    return records;
  for (const Setting &setting : *settings)
    if (isHere(setting.example))
      for (auto [status, count] : setting.trials)
        records.counts[status] += count;
  if (rejected > kMostNamed)
    mlir::emitWarning(function.getLoc())
        << "'" << database.path() << "': " << rejected - kMostNamed
        << " more records of the task cannot be true and are not used; "
           "'pruner db check' lists them";
  llvm::append_range(bad, selection->bad);
  if (llvm::Error error = warnOfReadRows(database, bad, function.getLoc()))
    return error;
  return records;
}

std::optional<Record> pruner::bestRecord(llvm::ArrayRef<Record> records,
                                         const Environment &environment,
                                         const ModuleTask &task,
                                         bool unmeasured) {
  Choice choice = chooseRecord(records);
  if (choice.record || choice.keptDefault || !unmeasured)
    return choice.record;
  DraftModel model(task.desc, environment.machine,
                   psaOptions(environment, task));
  std::optional<Record> best;
  mlir::func::FuncOp function = task.function;
  for (Record record : records) {
    if (record.status != MeasureStatus::Unmeasured || !record.psaLatency ||
        !isScheduleText(record.schedule))
      continue;
    // Compute the prediction instead of trusting the recorded one.
    ScheduleAttr schedule =
        parseScheduleText(record.schedule, function->getContext());
    record.psaLatency = model(schedule.getValue());
    if (!best || betterPrediction(record, *best))
      best = std::move(record);
  }
  return best;
}

llvm::Expected<std::optional<Record>>
pruner::bestRecord(Database &database, const Environment &environment,
                   const ModuleTask &task, bool unmeasured) {
  auto records =
      readTaskRecords(database, environment, task, /*warn=*/false, unmeasured);
  if (!records)
    return records.takeError();
  return bestRecord(records->current, environment, task, unmeasured);
}
