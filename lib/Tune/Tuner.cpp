//===- Tuner.cpp - the tuning loop --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interrupt.h"
#include "Rounds.h"
#include "RunIdentity.h"
#include "Stopwatch.h"

#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Table.h"
#include "pruner/Verification/Method.h"

#include <thread>

using namespace pruner;

/// Consecutive attempts without a worker before the run fails.
static constexpr unsigned kMaxNoWorkerRetries = 3;
/// Number of defaults that are built in parallel, with their references.
static constexpr size_t kDefaultsAtOnce = 8;

/// Returns true if a core is free for preparing the next round while candidates
/// run.
static bool canPrefetch(const Environment &environment) {
  const Machine &machine = environment.machine;
  return machine.isGpu() || int64_t(environment.threads) < machine.units;
}

static mlir::ModuleOp moduleOf(llvm::ArrayRef<ModuleTask> tasks) {
  mlir::func::FuncOp function = tasks.front().function;
  return function->getParentOfType<mlir::ModuleOp>();
}

std::vector<CallTimes> pruner::callTimes(llvm::ArrayRef<TaskOutcome> outcomes) {
  std::vector<CallTimes> times;
  for (const TaskOutcome &outcome : outcomes)
    times.push_back(outcome.callTimes);
  return times;
}

std::vector<double> pruner::secondsAlone(llvm::ArrayRef<TaskOutcome> outcomes) {
  std::vector<double> seconds;
  for (const TaskOutcome &outcome : outcomes)
    seconds.push_back(outcome.callTimes.alone);
  return seconds;
}

Tuner::Tuner(std::vector<ModuleTask> &tasks, const Environment &environment,
             Database &database, CostModel *model, WorkerPool &pool,
             TunerOptions options)
    : tasks(tasks), environment(environment), database(database), model(model),
      pool(pool), options(std::move(options)), results(tasks.size()),
      predictions(tasks.size()) {
  if (!tasks.empty())
    calls = readNetwork(moduleOf(tasks), tasks);
  runId = identity().id();
  RoundsOptions forRounds;
  forRounds.batch = this->options.batch;
  forRounds.trialsPerTask = this->options.trialsPerTask;
  forRounds.strategy = this->options.strategy;
  forRounds.search = this->options.strategy->defaults();
  forRounds.search.seed = this->options.seed;
  forRounds.search.psa.threads = environment.threads;
  if (model)
    forRounds.search.features = FeatureOptions::of(*model);
  forRounds.search.pretrained = !this->options.weights.empty();
  forRounds.learns = this->options.learns && !this->options.buildOnly;
  forRounds.certainty = this->options.certainty;
  forRounds.network = calls;
  forRounds.prefetch = canPrefetch(environment) && !this->options.buildOnly;
  rounds = std::make_unique<Rounds>(tasks, environment.machine, model,
                                    std::move(forRounds), split);
}

Tuner::~Tuner() = default;

RunIdentity Tuner::identity() const {
  RunIdentity run;
  run.strategy = options.strategy->name().str();
  run.seed = options.seed;
  run.target = environment.target.str();
  run.pipelineOptions = environment.pipelineOptions();
  run.machineKey = environment.machineKey();
  run.toolchain = Environment::toolchain();
  run.generator = generatorIdentity().str();
  run.verification = verificationMethod.str();
  run.prefetches = canPrefetch(environment);
  if (model)
    run.model = model->name();
  run.weights = options.weights;
  run.adaptation = options.adaptation;
  if (options.certainty.below > 0)
    run.certainty = options.certainty;
  run.accuracy = options.accuracy;
  if (!calls.choices.empty())
    run.network = calls.str();
  for (const ModuleTask &task : tasks) {
    run.tasks.push_back({task.key, task.cacheState.str(), {}});
    for (const Schedule &schedule : task.similar)
      run.tasks.back().similar.push_back(scheduleText(schedule));
  }
  return run;
}

llvm::Error Tuner::measure(llvm::ArrayRef<Trial> trials) {
  // Neighbors of the same task share a job.
  std::vector<MeasureJob> jobs;
  jobs.reserve(trials.size());
  std::vector<MeasureItem> items;
  for (auto [i, trial] : llvm::enumerate(trials)) {
    if (i == 0 || trial.task != trials[i - 1].task) {
      jobs.push_back(job(tasks[trial.task]));
      jobs.back().bestSeconds = results[trial.task].bestSeconds.value_or(0);
      if (options.buildOnly)
        jobs.back().emulate = options.emulate;
    }
    items.push_back({&jobs.back(), scheduleText(trial.schedule)});
  }
  std::vector<MeasureResult> measured =
      options.buildOnly && options.emulate == 0 ? pool.build(items)
      : options.buildOnly
          ? pool.measure(items)
          : pool.measure(items, [this] { rounds->prefetchRound(); });
  auto any = store(trials, items, measured);
  if (!any)
    return any.takeError();
  if (!*any)
    return waitForWorker(measured.front().reason);
  noWorkerRetries = 0;
  return llvm::Error::success();
}

/// Waits for workers to become available; fails after a few attempts.
llvm::Error Tuner::waitForWorker(llvm::StringRef reason) {
  if (interrupted())
    return llvm::Error::success();
  if (++noWorkerRetries == kMaxNoWorkerRetries)
    return llvm::createStringError(reason);
  *options.hooks.log << "pruner-tune: warning: no worker (" << reason
                     << "); trying again\n";
  double until = Stopwatch::now() + noWorkerRetries;
  while (Stopwatch::now() < until && !interrupted())
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return llvm::Error::success();
}

/// Times the untuned defaults, after the trials. A default that is much slower
/// than the best of its task runs only once.
llvm::Error Tuner::measureDefaults() {
  Progress progress("untuned defaults", tasks.size(), progressOptions());
  while (!interrupted()) {
    std::vector<unsigned> missing;
    for (auto [n, outcome] : llvm::enumerate(results))
      if (!outcome.defaultSeconds && outcome.defaultReason.empty())
        missing.push_back(n);
    progress.update(tasks.size() - missing.size());
    reportStatus("defaults", tasks.size() - missing.size(), tasks.size());
    if (missing.empty() || interrupted())
      break;
    missing.resize(std::min(missing.size(), kDefaultsAtOnce));
    std::vector<MeasureJob> jobs;
    for (unsigned n : missing) {
      jobs.push_back(job(tasks[n]));
      jobs.back().bestSeconds = results[n].bestSeconds.value_or(0);
    }
    std::vector<MeasureResult> measured;
    {
      Stopwatch watch(split.measure);
      measured = pool.baselines(jobs);
    }
    bool any = false;
    for (auto [n, result] : llvm::zip_equal(missing, measured)) {
      if (result.noWorker)
        continue;
      any = true;
      Record record = blankRecord(tasks[n], kDefaultSchedule);
      record.trial = -1 - int64_t(n);
      setOutcome(record, result);
      makeStorable(record);
      noteDefault(n, record);
      if (llvm::Error error = append(n, record))
        return error;
    }
    if (any)
      noWorkerRetries = 0;
    else if (llvm::Error error = waitForWorker(measured.front().reason))
      return error;
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

Progress::Options Tuner::progressOptions() const {
  Progress::Options to;
  to.os = options.hooks.log;
  return to;
}

/// Calls the progress hook, which may stop the run.
void Tuner::reportStatus(llvm::StringRef phase, unsigned stepsDone,
                         unsigned total, std::optional<unsigned> task) const {
  if (!options.hooks.onProgress || interrupted())
    return;
  TuneStatus status;
  status.phase = phase;
  status.done = stepsDone;
  status.total = total;
  status.failed = failures;
  if (task) {
    status.task = tasks[*task].desc.name;
    status.seconds = results[*task].bestSeconds;
  }
  if (!options.hooks.onProgress(status))
    stopTuning();
}

llvm::Expected<bool> Tuner::run() {
  double deadline = options.timeLimit > 0
                        ? Stopwatch::now() + options.timeLimit
                        : std::numeric_limits<double>::infinity();
  InterruptGuard guard(options.hooks.signals);
  if (tasks.empty())
    return true;
  if (llvm::Error error = replay())
    return error;
  Progress progress("tuning", options.trials, progressOptions());
  progress.update(std::min(done, options.trials));
  reportStatus("trials", std::min(done, options.trials), options.trials);
  while (done < options.trials && !interrupted() &&
         Stopwatch::now() <= deadline) {
    std::vector<Trial> trials = rounds->next(options.trials - done);
    if (trials.empty())
      break;
    if (llvm::Error error = measure(trials))
      return error;
    unsigned last = trials.back().task;
    progress.update(done, progressNote(last));
    reportStatus("trials", done, options.trials, last);
  }
  progress.finish();
  if (interrupted())
    return false;
  if (options.buildOnly)
    return true;
  // Untuned code has no kernel for a GPU.
  if (options.compareFinalists && !environment.machine.isGpu())
    if (llvm::Error error = measureDefaults())
      return error;
  if (llvm::Error error =
          options.compareFinalists ? compareFinalists() : readOutcomes())
    return error;
  if (options.chooseForms)
    ownForms = chooseForms(moduleOf(tasks), tasks, callTimes(results));
  split.runs = pool.runCosts();
  if (options.compareFinalists && options.network &&
      environment.machine.isCpu() && !interrupted())
    if (llvm::Error error = compareInNetwork())
      return error;
  return !interrupted();
}
