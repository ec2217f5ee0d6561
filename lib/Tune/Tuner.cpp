//===- Tuner.cpp - the tuning loop --------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupt.h"
#include "Rounds.h"
#include "Stopwatch.h"

#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"
#include "pruner/Verification/Method.h"

#include <thread>

using namespace pruner;

/// How often in a row there may be no worker.
static constexpr unsigned kMostDry = 3;

Tuner::Tuner(std::vector<TuneTask> &tasks, const Environment &environment,
             Database &database, CostModel *model, WorkerPool &pool,
             TunerOptions options)
    : tasks(tasks), environment(environment), database(database), model(model),
      pool(pool), options(std::move(options)), results(tasks.size()),
      predictions(tasks.size()) {
  std::string identity =
      this->options.strategy + "\n" + std::to_string(this->options.seed) +
      "\n" + environment.target.str() + environment.pipelineOptions() +
      environment.machineKey() + Environment::toolchain() +
      generatorIdentity().str() + verificationMethod.str() +
      (model ? model->name() : "none") + this->options.weights;
  for (const TuneTask &task : tasks)
    identity += "\n" + task.key + task.cacheState.str();
  runId = contentHash(identity);
  RoundsOptions of;
  of.batch = this->options.batch;
  of.trialsPerTask = this->options.trialsPerTask;
  of.strategy = this->options.strategy;
  if (this->options.strategy == "learned-all")
    of.search = SearchOptions::ansor();
  of.search.seed = this->options.seed;
  of.search.psa.threads = environment.threads;
  if (!this->options.weights.empty())
    of.search.trustAfter = 0;
  of.learns = !this->options.buildOnly;
  rounds = std::make_unique<Rounds>(tasks, environment.machine, model,
                                    std::move(of), split);
}

Tuner::~Tuner() = default;

llvm::Error Tuner::measure(const RoundSlice &slice) {
  unsigned n = unsigned(slice.task);
  std::vector<std::string> schedules;
  for (const Candidate &candidate : slice.candidates)
    schedules.push_back(scheduleText(candidate.schedule));
  MeasureJob measureJob = job(tasks[n]);
  measureJob.bestSeconds = results[n].bestSeconds.value_or(0);
  std::vector<MeasureResult> measured =
      options.buildOnly ? pool.build(measureJob, schedules)
                        : pool.measure(measureJob, schedules);
  auto any = store(slice, schedules, measured);
  if (!any)
    return any.takeError();
  if (!*any)
    return withoutWorker(measured.front().reason);
  dry = 0;
  return llvm::Error::success();
}

/// Waits a moment for workers to be had again, a few times; then that is an
/// error.
llvm::Error Tuner::withoutWorker(llvm::StringRef reason) {
  if (interrupted())
    return llvm::Error::success();
  if (++dry == kMostDry)
    return llvm::createStringError(reason);
  llvm::errs() << "pruner-tune: warning: no worker (" << reason
               << "); trying again\n";
  double until = Stopwatch::now() + dry;
  while (Stopwatch::now() < until && !interrupted())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return llvm::Error::success();
}

llvm::Error Tuner::measureDefaults(double deadline) {
  Progress progress("untuned defaults", tasks.size());
  for (auto [n, task] : llvm::enumerate(tasks)) {
    TaskOutcome &outcome = results[n];
    if (interrupted() || Stopwatch::now() > deadline)
      return llvm::Error::success();
    if (outcome.defaultSeconds || !outcome.defaultReason.empty())
      continue;
    MeasureResult result;
    {
      Stopwatch watch(split.measure);
      result = pool.baseline(job(task));
    }
    if (result.noWorker) {
      if (llvm::Error error = withoutWorker(result.reason))
        return error;
      return interrupted() ? llvm::Error::success() : measureDefaults(deadline);
    }
    dry = 0;
    Record record = blankRecord(task, kDefaultSchedule);
    record.trial = -1 - int64_t(n);
    setOutcome(record, result);
    makeStorable(record);
    noteDefault(n, record);
    auto counts = database.append({tasks[n].stored(), record});
    if (!counts)
      return counts.takeError();
    progress.update(n + 1, task.desc.name);
  }
  return llvm::Error::success();
}

std::string Tuner::progressNote(unsigned n) const {
  std::string note = tasks[n].desc.name;
  if (results[n].bestSeconds)
    note += " " + formatSeconds(*results[n].bestSeconds);
  if (failures != 0)
    note += ", " + std::to_string(failures) + " failed";
  return note;
}

llvm::Expected<bool> Tuner::run() {
  double deadline = options.timeLimit > 0
                        ? Stopwatch::now() + options.timeLimit
                        : std::numeric_limits<double>::infinity();
  InterruptGuard guard;
  if (tasks.empty())
    return true;
  if (llvm::Error error = replay())
    return error;
  // Without a schedule there are loops, but no kernel for a GPU.
  if (!options.buildOnly && !environment.machine.isGpu())
    if (llvm::Error error = measureDefaults(deadline))
      return error;
  Progress progress("tuning", options.trials);
  progress.update(std::min(done, options.trials));
  while (done < options.trials && !interrupted() &&
         Stopwatch::now() <= deadline) {
    RoundSlice slice = rounds->next(options.trials - done);
    if (slice.task < 0)
      break;
    if (llvm::Error error = measure(slice))
      return error;
    progress.update(done, progressNote(slice.task));
  }
  progress.finish();
  if (interrupted())
    return false;
  if (options.buildOnly)
    return true;
  if (llvm::Error error = options.finals ? holdFinals() : readOutcomes())
    return error;
  split.runs = pool.runCosts();
  if (options.finals && options.network && environment.machine.isCpu() &&
      !interrupted())
    if (llvm::Error error = holdNetworkFinal())
      return error;
  return !interrupted();
}
