//===- ApplyRecords.cpp - apply recorded schedules to tasks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApplyRecords.h"
#include "pruner/Tune/OptimizationRemarks.h"

#include "pruner/ModuleTasks/RemarkGroups.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Draft/Draft.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace pruner;

/// The number of older records of a task that are tried.
static constexpr unsigned kTries = 3;

namespace {

/// Applies records to one task after the other.
class Applier {
public:
  Applier(Database &database, const Environment &environment,
          const ApplyOptions &options)
      : database(database), environment(environment), options(options),
        remarks(options.verboseRemarks) {}

  /// Returns true if the task got a schedule.
  llvm::Expected<bool> apply(const ModuleTask &task);
  /// Chooses the forms of the module of these tasks, to which records were
  /// applied.
  void choose(llvm::ArrayRef<ModuleTask> tasks);
  void emitRemarks(llvm::ArrayRef<ModuleTask> tasks);

private:
  Choice choose(const ModuleTask &task, TaskRecords &records);
  llvm::Expected<std::string> explainMissing(const ModuleTask &task,
                                             const TaskRecords &records);
  bool draft(const ModuleTask &task, const TaskRecords &records);
  llvm::Expected<std::string> describeOtherRecords(const ModuleTask &task);
  std::optional<Record> verifyAgain(const ModuleTask &task,
                                    TaskRecords &records);
  std::optional<Record> measure(const ModuleTask &task, WorkerPool &pool,
                                const Record &older);
  void remark(const ModuleTask &task, const llvm::Twine &text) {
    func::FuncOp function = task.function;
    remarks.add(function.getLoc(),
                ("'" + function.getName() + "': " + text).str());
  }

  Database &database;
  const Environment &environment;
  const ApplyOptions &options;
  RemarkGroups remarks;
  unsigned numDrafted = 0;
  /// The times of one call of each task.
  std::vector<CallTimes> times;
};

} // namespace

/// Builds the schedule of an older record, verifies and times it, and stores
/// the new record. Returns nothing if it failed.
std::optional<Record> Applier::measure(const ModuleTask &task, WorkerPool &pool,
                                       const Record &older) {
  MeasureResult result =
      pool.measure(measureJob(environment, task), older.schedule).front();
  if (result.noWorker) {
    remark(task, "no worker can verify the recorded schedule again: " +
                     result.reason);
    return std::nullopt;
  }
  Record record = blankRecord(environment, task, older.schedule);
  record.strategy = kReverifiedStrategy.str();
  record.psaLatency = older.psaLatency;
  setOutcome(record, result);
  makeStorable(record);
  record.runId = contentHash("reverified\n" + identityHash(record) + "\n" +
                             record.timestamp);
  bool right = record.status == MeasureStatus::Ok && record.verified;
  if (right)
    remark(task, "the best record is from another build of the code generator "
                 "or another verification method; its schedule was rebuilt "
                 "and verified again: " +
                     formatSeconds(result.run.median));
  else
    remark(task, "the best record is from another build of the code generator "
                 "or another verification method; its schedule failed when it "
                 "was rebuilt and verified again: " +
                     stringifyMeasureStatus(record.status) + ": " +
                     record.reason);
  if (Database *store = options.store()) {
    const StoredTask stored = task.stored();
    RecordBatch batch;
    batch.tasks = stored;
    batch.records = record;
    batch.fresh = true;
    if (auto counts = store->append(batch); !counts)
      remark(task, "the new record is not stored: " +
                       llvm::toString(counts.takeError()));
  }
  return right ? std::optional<Record>(std::move(record)) : std::nullopt;
}

/// Tries the older records, best first.
std::optional<Record> Applier::verifyAgain(const ModuleTask &task,
                                           TaskRecords &records) {
  auto drop = [&](llvm::StringRef schedule) {
    llvm::erase_if(records.older,
                   [&](const Record &r) { return r.schedule == schedule; });
  };
  // Skip schedules that failed with the code of this build.
  for (const Record &record : records.current)
    if (isScheduleText(record.schedule) && record.status != MeasureStatus::Ok &&
        record.status != MeasureStatus::Unmeasured)
      drop(record.schedule);
  for (unsigned n = 0; n < kTries; ++n) {
    std::optional<Record> older = chooseRecord(records.older).record;
    if (!older)
      return std::nullopt;
    WorkerPool *pool = options.workers();
    if (!pool) {
      if (!options.unmeasured) {
        remark(task, "the best record is from another build of the code "
                     "generator; it is not applied, because it was not "
                     "verified again");
        return std::nullopt;
      }
      remark(task, "the best record is from another build of the code "
                   "generator; it is applied without being verified again, "
                   "because there is no device");
      return older;
    }
    if (auto record = measure(task, *pool, *older))
      return record;
    drop(older->schedule);
  }
  return std::nullopt;
}

Choice Applier::choose(const ModuleTask &task, TaskRecords &records) {
  Choice choice = chooseRecord(records.current);
  if (choice.record || choice.keptDefault)
    return choice;
  choice = chooseRecord(records.otherCacheStates);
  if (choice.record || choice.keptDefault)
    return choice;
  choice = Choice();
  choice.record = verifyAgain(task, records);
  if (!choice.record)
    choice.record =
        bestRecord(records.current, environment, task, options.unmeasured);
  if (choice.record || !options.unmeasured)
    return choice;
  choice.record = bestRecord(records.older, environment, task, true);
  if (choice.record)
    remark(task, "the best predicted record is from another build of the code "
                 "generator");
  return choice;
}

/// Returns the least time of the untuned default outside of comparisons. The
/// default takes no part in a comparison if it is too slow.
static std::optional<double> untunedSeconds(llvm::ArrayRef<Record> records) {
  std::optional<double> least;
  for (const Record &record : records)
    if (std::optional<double> seconds = medianTime(record);
        record.schedule == kDefaultSchedule && seconds)
      least = std::min(least.value_or(*seconds), *seconds);
  return least;
}

/// Names the machine with the key `other`; if it has the name of the machine
/// with the key `here`, also what differs first: "machine 'cpu:znver4', which
/// has units=2 instead of units=1".
static std::string describeMachine(llvm::StringRef other,
                                   llvm::StringRef here) {
  llvm::SmallVector<llvm::StringRef> others, ours;
  other.split(others, ';');
  here.split(ours, ';');
  std::string text = ("machine '" + others.front() + "'").str();
  if (others.front() != ours.front())
    return text;
  auto [theirs, own] =
      std::mismatch(others.begin(), others.end(), ours.begin(), ours.end());
  if (theirs != others.end() && own != ours.end())
    text += (", which has " + *theirs + " instead of " + *own).str();
  return text;
}

/// Lists the records of the task for other machines and options: "; 12 records
/// of this task are for 'threads=1'".
llvm::Expected<std::string>
Applier::describeOtherRecords(const ModuleTask &task) {
  std::vector<BadRow> bad; // Reported when the database was opened.
  auto settings = database.settings({}, /*counted=*/true, bad);
  if (!settings)
    return settings.takeError();
  std::map<std::string, uint64_t> others;
  for (const Setting &setting : *settings) {
    const Record &record = setting.example;
    if (record.taskKey != task.key)
      continue;
    std::string what;
    if (record.machineKey != environment.machineKey() ||
        record.target != environment.target.str())
      what = describeMachine(record.machineKey, environment.machineKey());
    if (record.pipelineOptions != environment.pipelineOptions())
      what += (what.empty() ? "'" : " with '") + record.pipelineOptions + "'";
    if (what.empty())
      continue;
    for (const auto *counts : {&setting.trials, &setting.finals})
      for (auto [status, count] : *counts)
        others[what] += count;
  }
  std::string text;
  for (const auto &[what, count] : others)
    text += "; " + std::to_string(count) +
            (count == 1 ? " record of this task is for "
                        : " records of this task are for ") +
            what;
  return text;
}

/// True if the task has a record for this machine and these options.
static bool hasRecord(const TaskRecords &records) {
  return !records.counts.empty() || !records.current.empty() ||
         !records.otherCacheStates.empty() || !records.older.empty();
}

/// Chooses a schedule for a task without records. Returns false if it has some,
/// or no legal schedule.
bool Applier::draft(const ModuleTask &task, const TaskRecords &records) {
  if (!options.draft || hasRecord(records))
    return false;
  // As pruner-draft does by default.
  std::optional<Schedule> schedule =
      draftSchedule(task.desc, task.cacheState, environment, kDraftPopulation,
                    /*seed=*/0);
  if (!schedule)
    return false;
  func::FuncOp function = task.function;
  function->setAttr(PrunerDialect::getScheduleAttrName(),
                    ScheduleAttr::get(function->getContext(), *schedule));
  function->removeAttr(PrunerDialect::getSecondsAttrName());
  ++numDrafted;
  return true;
}

void Applier::emitRemarks(llvm::ArrayRef<ModuleTask> tasks) {
  remarks.emit();
  if (numDrafted == 0)
    return;
  func::FuncOp any = tasks.front().function;
  emitWarning(any->getParentOfType<ModuleOp>().getLoc(), options.pass)
      << ": " << numDrafted << " of " << tasks.size()
      << (numDrafted == 1 ? " tasks has no " : " tasks have no ")
      << options.what
      << (numDrafted == 1 ? "; the analytical model chose its schedule"
                          : "; the analytical model chose their schedules");
}

/// Returns why the task gets no schedule.
llvm::Expected<std::string>
Applier::explainMissing(const ModuleTask &task, const TaskRecords &records) {
  const bool any = hasRecord(records);
  const bool isGpu = environment.machine.isGpu();
  if (any && !isGpu)
    return ("no verified " + options.what +
            " is faster than the untuned default")
        .str();
  // There is no untuned default on a GPU.
  if (any)
    return ("no " + options.what + " could be built and verified").str();
  llvm::Expected<std::string> others = describeOtherRecords(task);
  if (!others)
    return others.takeError();
  std::string pipeline = environment.pipelineOptions();
  return ("there is no " + options.what).str() +
         (pipeline.empty() ? "" : " with '" + pipeline + "'") + *others;
}

llvm::Expected<bool> Applier::apply(const ModuleTask &task) {
  auto records = readTaskRecords(database, environment, task, /*warn=*/true,
                                 options.unmeasured);
  if (!records)
    return records.takeError();
  Choice choice = choose(task, *records);
  const std::optional<Record> &record = choice.record;
  times.push_back(callTimes(records->current));
  if (!std::isfinite(times.back().alone) && record)
    if (std::optional<double> seconds = medianTime(*record))
      times.back().alone = *seconds;
  func::FuncOp function = task.function;
  const RemarkSource source{task, environment, options.pass};
  source.failures(records->counts);
  if (!record && draft(task, *records))
    return true;
  if (!record) {
    llvm::Expected<std::string> reason = explainMissing(task, *records);
    if (!reason)
      return reason.takeError();
    remark(task, *reason + "; the task is left unchanged");
    source.untuned(*reason);
    return false;
  }
  source.scheduled(*record, choice.defaultSeconds
                                ? choice.defaultSeconds
                                : untunedSeconds(records->current));
  // readTaskRecords() checked that the schedule parses.
  function->setAttr(
      PrunerDialect::getScheduleAttrName(),
      parseScheduleText(record->schedule, function->getContext()));
  function->removeAttr(PrunerDialect::getSecondsAttrName());
  if (std::optional<double> seconds = medianTime(*record))
    function->setAttr(PrunerDialect::getSecondsAttrName(),
                      Builder(function).getF64FloatAttr(*seconds));
  return true;
}

void Applier::choose(llvm::ArrayRef<ModuleTask> tasks) {
  if (tasks.empty() || !options.chooseForms)
    return;
  func::FuncOp any = tasks.front().function;
  auto module = any->getParentOfType<ModuleOp>();
  chooseForms(module, tasks, times);
  remarkForms(timeForms(module, tasks, times), options.pass);
}

FailureOr<unsigned>
pruner::applyBestRecords(Database &database, const Environment &environment,
                         llvm::ArrayRef<ModuleTask> tasks,
                         const ApplyOptions &options,
                         llvm::function_ref<LogicalResult(llvm::Error)> fail) {
  unsigned applied = 0;
  Applier applier(database, environment, options);
  for (const ModuleTask &task : tasks) {
    llvm::Expected<bool> done = applier.apply(task);
    if (!done)
      return fail(done.takeError());
    applied += *done;
  }
  applier.choose(tasks);
  applier.emitRemarks(tasks);
  return applied;
}
