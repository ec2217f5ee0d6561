//===- Tuner.cpp - the tuning loop --------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TunerSession.h"

#include "Interrupt.h"

#include "pruner/Analysis/Psa.h"
#include "pruner/Measure/Reference.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"

#include <thread>

using namespace pruner;

namespace {

/// Passes everything on and keeps the time of predictions.
class TimedModel : public CostModel {
public:
  TimedModel(CostModel &model, double &seconds)
      : model(model), seconds(seconds) {}
  std::string name() const override { return model.name(); }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override {
    Stopwatch watch(seconds);
    return model.predict(programs);
  }
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override {
    return model.update(programs, labels, groups);
  }
  bool updatesFromScratch() const override {
    return model.updatesFromScratch();
  }
  std::string save(const std::string &path) const override {
    return model.save(path);
  }
  std::string load(const std::string &path) override {
    return model.load(path);
  }
  std::string describe() const override { return model.describe(); }
  std::string lastError() const override { return model.lastError(); }

private:
  CostModel &model;
  double &seconds;
};

} // namespace

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
  std::vector<ScheduledTask> scheduled;
  for (const TuneTask &task : tasks) {
    identity += "\n" + task.key;
    std::string kind = task.desc.hasReduction() ? "contraction" : "elementwise";
    scheduled.push_back(
        {task.weight, task.flops, similarityTag(kind, task.flops)});
    auto session = std::make_unique<Session>(task, environment);
    if (model)
      session->model = std::make_unique<TimedModel>(*model, split.predict);
    SearchOptions searchOptions;
    searchOptions.seed = this->options.seed;
    searchOptions.psa.threads = environment.threads;
    if (!this->options.weights.empty())
      searchOptions.trustAfter = 0;
    session->search =
        createSearchStrategy(this->options.strategy, session->space,
                             session->model.get(), searchOptions);
    sessions.push_back(std::move(session));
  }
  runId = contentHash(identity);
  scheduler = std::make_unique<TaskScheduler>(std::move(scheduled));
}

Tuner::~Tuner() = default;

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// While the first rounds are under way: the task with the largest share of the
/// untuned model among those that are behind. Later: the round that was begun,
/// or the task that the scheduler chooses.
Tuner::Slice Tuner::nextSlice() {
  std::vector<unsigned> cold;
  for (unsigned n = 0; n < tasks.size(); ++n)
    if (!sessions[n]->warm)
      cold.push_back(n);
  if (cold.size() == 1)
    return {int(cold.front()), options.batch};
  auto share = [&](unsigned n) {
    return tasks[n].weight * results[n].defaultSeconds.value_or(0);
  };
  llvm::stable_sort(
      cold, [&](unsigned a, unsigned b) { return share(a) > share(b); });
  for (unsigned target = 1; !cold.empty(); target *= 2)
    for (unsigned n : cold)
      if (unsigned had = sessions[n]->measured.size(); had < target)
        return {int(n), target - had};

  for (unsigned n = 0; n < tasks.size(); ++n)
    if (!sessions[n]->pending.empty())
      return {int(n), options.batch};
  return {scheduler->next(), options.batch};
}

/// Asks the search for the candidates of the task's next round, always for a
/// whole batch, and leaves out those that were measured before a stop.
void Tuner::propose(unsigned n) {
  Session &session = *sessions[n];
  double predicted = split.predict;
  double start = Stopwatch::now();
  // The first round leaves room for the schedule that one would take without a
  // search. Dropping a proposal instead would hide it from this run's search.
  std::optional<Schedule> first;
  if (session.search->rounds() == 0 && session.search->startsFromDefault())
    first = session.space.defaultSchedule();
  std::vector<Candidate> &pending = session.pending;
  pending = session.search->propose(options.batch - (first ? 1 : 0));
  if (first) {
    Candidate candidate;
    candidate.schedule = *first;
    PsaOptions psa;
    psa.threads = environment.threads;
    candidate.draftSeconds = psaSeconds(
        summarize(tasks[n].desc, buildTiledProgram(tasks[n].desc, *first)),
        environment.machine, psa);
    llvm::erase_if(pending, [&](const Candidate &other) {
      return other.schedule == *first;
    });
    pending.insert(pending.begin(), std::move(candidate));
  }
  llvm::erase_if(pending, [&](const Candidate &candidate) {
    return llvm::any_of(session.measured, [&](const Observation &observation) {
      return observation.schedule == candidate.schedule;
    });
  });
  size_t room =
      options.batch - std::min<size_t>(options.batch, session.measured.size());
  if (pending.size() > room)
    pending.resize(room);
  session.proposed = true;
  split.draft += Stopwatch::now() - start - (split.predict - predicted);
}

llvm::Error Tuner::measure(Slice slice) {
  unsigned n = unsigned(slice.task);
  Session &session = *sessions[n];
  if (!session.proposed)
    propose(n);
  if (session.pending.empty()) {
    // The space is searched through.
    scheduler->giveUp(n);
    finishRound(n);
    return llvm::Error::success();
  }
  size_t count = std::min<size_t>(
      {slice.count, session.pending.size(), options.trials - done});
  std::vector<Candidate> candidates(session.pending.begin(),
                                    session.pending.begin() + count);
  std::vector<std::string> schedules;
  for (const Candidate &candidate : candidates)
    schedules.push_back(scheduleText(candidate.schedule));
  MeasureJob measureJob = job(tasks[n]);
  measureJob.bestSeconds = results[n].bestSeconds.value_or(0);
  std::vector<MeasureResult> measured =
      options.buildOnly ? pool.build(measureJob, schedules)
                        : pool.measure(measureJob, schedules);
  auto finished = store(n, candidates, schedules, measured);
  if (!finished)
    return finished.takeError();
  for (size_t i = count; i-- > 0;)
    if (finished->test(i))
      session.pending.erase(session.pending.begin() + i);
  if (session.pending.empty())
    finishRound(n);
  if (finished->any()) {
    dry = 0;
    return llvm::Error::success();
  }
  return withoutWorker(measured.front().reason);
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

/// Hands a complete round to the search, the model and the scheduler. What the
/// first rounds taught waits until all of them are complete, and is then told
/// in the order of the tasks: so it does not depend on where a run was cut.
void Tuner::finishRound(unsigned n) {
  Session &session = *sessions[n];
  session.search->observe(session.measured);
  session.proposed = false;
  session.warm = true;
  if (!warmingUp) {
    if (session.measured.empty())
      return;
    learn(n, results[n].bestSeconds);
    train();
  } else if (llvm::all_of(sessions, [](auto &s) { return s->warm; })) {
    endWarmUp();
    train();
  }
}

void Tuner::endWarmUp() {
  warmingUp = false;
  for (unsigned n = 0; n < tasks.size(); ++n)
    learn(n, results[n].bestSeconds);
}

/// Adds the round's measurements to what the model is taught, and tells the
/// scheduler the task's best time after it.
void Tuner::learn(unsigned n, std::optional<double> best) {
  Session &session = *sessions[n];
  if (session.measured.empty())
    return;
  training.add(n, session.space, session.measured);
  session.measured.clear();
  scheduler->report(n, best.value_or(std::numeric_limits<double>::infinity()));
}

void Tuner::train() {
  lessons.push_back(training.size());
  if (!model || training.size() == 0 || options.buildOnly ||
      done >= options.trials)
    return;
  Stopwatch watch(split.train);
  training.train(*model);
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
    if (result.ok())
      outcome.defaultSeconds = medianTime(record);
    else
      outcome.defaultReason = result.reason;
    makeStorable(record);
    auto counts = database.append({storedTask(n), record});
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
    Slice slice = nextSlice();
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
  if (llvm::Error error = holdFinals())
    return error;
  return !interrupted();
}
