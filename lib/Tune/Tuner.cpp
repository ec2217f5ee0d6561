//===- Tuner.cpp - the tuning loop ----------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/Tuner.h"

#include "Interrupt.h"

#include "pruner/Analysis/Psa.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/JSON.h"

#include <chrono>

using namespace pruner;

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

/// Adds the time of its scope to a counter.
class Stopwatch {
public:
  explicit Stopwatch(double &counter) : counter(counter), start(now()) {}
  ~Stopwatch() { counter += now() - start; }

private:
  double &counter;
  double start;
};

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

std::string scheduleText(mlir::MLIRContext *context, const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream(text) << ScheduleAttr::get(context, schedule);
  return text;
}

} // namespace

/// A task's space and search, and the clock of its predictions.
struct Tuner::Session {
  Session(const TuneTask &task, const Environment &environment,
          CostModel *inner, double &predictSeconds)
      : space(task.desc, environment.machine) {
    if (inner)
      model = std::make_unique<TimedModel>(*inner, predictSeconds);
  }
  ScheduleSpace space;
  std::unique_ptr<TimedModel> model;
  std::unique_ptr<SearchStrategy> search;
};

Tuner::Tuner(std::vector<TuneTask> &tasks, const Environment &environment,
             Database &database, CostModel *model, WorkerPool &pool,
             TunerOptions options)
    : tasks(tasks), environment(environment), database(database), model(model),
      pool(pool), options(std::move(options)), results(tasks.size()),
      predictions(tasks.size()) {
  std::string identity = this->options.strategy + "\n" +
                         std::to_string(this->options.seed) + "\n" +
                         environment.target + environment.pipelineOptions() +
                         environment.machineKey() + Environment::toolchain() +
                         (model ? model->name() : "none");
  std::vector<ScheduledTask> scheduled;
  for (const TuneTask &task : tasks) {
    identity += "\n" + task.key;
    std::string kind = task.desc.hasReduction() ? "contraction" : "elementwise";
    scheduled.push_back(
        {task.weight, task.flops, similarityTag(kind, task.flops)});
    auto session =
        std::make_unique<Session>(task, environment, model, split.predict);
    SearchOptions searchOptions;
    searchOptions.seed = this->options.seed;
    searchOptions.psa.threads = environment.threads;
    session->search =
        createSearchStrategy(this->options.strategy, session->space,
                             session->model.get(), searchOptions);
    sessions.push_back(std::move(session));
  }
  runId = contentHash(identity);
  scheduler = std::make_unique<TaskScheduler>(std::move(scheduled));
}

Tuner::~Tuner() = default;

MeasureJob Tuner::job(const TuneTask &task) const {
  MeasureJob job;
  job.key = task.key;
  job.text = task.text;
  job.target = environment.target;
  job.threads = environment.threads;
  job.seed = int64_t(options.seed);
  return job;
}

Record Tuner::blankRecord(const TuneTask &task) const {
  Record record;
  record.taskKey = task.key;
  record.target = environment.target;
  record.machineKey = environment.machineKey();
  record.pipelineOptions = environment.pipelineOptions();
  record.toolchain = Environment::toolchain();
  record.runId = runId;
  record.strategy = options.strategy;
  record.seed = options.seed;
  record.timestamp = currentTimestamp();
  record.host = environment.machine.name;
  record.prunerVersion = PRUNER_VERSION;
  return record;
}

//===----------------------------------------------------------------------===//
// Replay
//===----------------------------------------------------------------------===//

/// Puts search, training data and task scheduler where the records of this run
/// left them. A round is known by its task and number; its records stand
/// together, because a batch is stored at once.
llvm::Error Tuner::replay() {
  std::map<std::string, unsigned> numbers;
  for (auto [n, task] : llvm::enumerate(tasks))
    numbers[task.key] = n;
  std::vector<std::vector<Observation>> observations(tasks.size());
  std::vector<unsigned> rounds(tasks.size(), 0);
  struct Round {
    unsigned task;
    int64_t number;
    double best; ///< Of the task, after the round; seconds.
  };
  std::vector<Round> order;
  mlir::MLIRContext *context = tasks.front().function->getContext();

  RecordQuery query;
  query.runId = runId;
  auto visit = [&](Record record) -> llvm::Error {
    auto number = numbers.find(record.taskKey);
    if (number == numbers.end())
      return llvm::Error::success();
    unsigned n = number->second;
    TaskOutcome &outcome = results[n];
    std::optional<double> time;
    if (record.status == MeasureStatus::Ok)
      time = medianTime(record);
    if (record.schedule == "default") {
      outcome.defaultSeconds = time;
      outcome.defaultReason = record.reason;
      return llvm::Error::success();
    }
    auto attribute = llvm::dyn_cast_or_null<ScheduleAttr>(
        mlir::parseAttribute(record.schedule, context));
    if (!attribute)
      return llvm::Error::success();
    ++outcome.trials;
    ++done;
    if (record.status != MeasureStatus::Ok &&
        record.status != MeasureStatus::Unmeasured)
      ++outcome.failed;
    if (time && record.verified &&
        (!outcome.bestSeconds || *time < *outcome.bestSeconds))
      outcome.bestSeconds = time;
    notePrediction(n, record);
    observations[n].push_back({attribute.getValue(), time});
    if (order.empty() || order.back().task != n ||
        order.back().number != record.round)
      order.push_back({n, record.round, 0});
    order.back().best =
        outcome.bestSeconds.value_or(std::numeric_limits<double>::infinity());
    rounds[n] = std::max(rounds[n], unsigned(record.round) + 1);
    return llvm::Error::success();
  };
  if (llvm::Error error = database.forEach(query, visit))
    return error;

  for (const Round &round : order)
    scheduler->report(round.task, round.best);
  for (unsigned n = 0; n < tasks.size(); ++n) {
    if (observations[n].empty())
      continue;
    sessions[n]->search->resume(rounds[n], observations[n]);
    training.add(n, sessions[n]->space, observations[n]);
  }
  if (done > 0)
    llvm::errs() << "pruner-tune: continuing after " << done
                 << " recorded trials\n";
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

llvm::Error Tuner::measureDefaults() {
  Progress progress("untuned defaults", tasks.size());
  for (auto [n, task] : llvm::enumerate(tasks)) {
    TaskOutcome &outcome = results[n];
    bool known = outcome.defaultSeconds || !outcome.defaultReason.empty();
    if (interrupted())
      return llvm::Error::success();
    MeasureResult result;
    {
      Stopwatch watch(split.measure);
      if (known)
        continue;
      result = pool.baseline(job(task));
    }
    if (result.noWorker)
      return llvm::createStringError(result.reason);
    Record record = blankRecord(task);
    record.schedule = "default";
    record.trial = -1 - int64_t(n);
    record.status = result.status;
    record.reason = result.reason;
    record.verified = result.run.verified;
    if (result.ok()) {
      record.times = {result.run.median};
      outcome.defaultSeconds = result.run.median;
    } else {
      outcome.defaultReason = result.reason;
    }
    pruner::Task stored{task.key, task.desc.name, task.text, task.flops,
                        task.bytes};
    auto counts = database.append({stored, record, {}});
    if (!counts)
      return counts.takeError();
    progress.update(n + 1, task.desc.name);
  }
  return llvm::Error::success();
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
  llvm::Expected<llvm::json::Value> facts = llvm::json::parse(record.facts);
  if (!facts)
    return llvm::consumeError(facts.takeError());
  if (const llvm::json::Object *object = facts->getAsObject())
    results[n].facts = *object;
}

llvm::Error Tuner::store(unsigned n, llvm::ArrayRef<Candidate> candidates,
                         llvm::ArrayRef<std::string> schedules,
                         llvm::ArrayRef<MeasureResult> measured) {
  const TuneTask &task = tasks[n];
  TaskOutcome &outcome = results[n];
  // Such a batch would fill the database with failures that are none.
  for (const MeasureResult &result : measured)
    if (result.noWorker)
      return llvm::createStringError(result.reason);
  std::vector<Record> records;
  std::vector<Observation> observations;
  for (auto [candidate, schedule, result] :
       llvm::zip_equal(candidates, schedules, measured)) {
    Record record = blankRecord(task);
    record.schedule = schedule;
    record.trial = done++;
    record.round = sessions[n]->search->rounds() - 1;
    record.status = result.status;
    record.reason = result.reason;
    record.verified = result.run.verified;
    if (result.ok() && !options.buildOnly)
      record.times = {result.run.median};
    if (model)
      record.score = candidate.score;
    record.psaLatency = candidate.draftSeconds;
    record.buildSeconds = result.buildWallSeconds;
    record.runSeconds = result.runWallSeconds;
    llvm::json::Object facts = result.build.facts;
    facts["stages"] = llvm::json::Object(result.build.stages);
    record.facts = llvm::formatv("{0}", llvm::json::Value(std::move(facts)));
    if (options.buildOnly && result.ok()) {
      record.status = MeasureStatus::Unmeasured;
      record.reason = "no device of the target";
      record.times.clear();
      record.verified = false;
    }
    split.build += result.buildWallSeconds;
    split.measure += result.runWallSeconds;

    ++fresh;
    ++outcome.trials;
    std::optional<double> seconds;
    if (record.status == MeasureStatus::Unmeasured) {
      notePrediction(n, record);
    } else if (result.ok()) {
      seconds = result.run.median;
      if (result.run.verified &&
          (!outcome.bestSeconds || *seconds < *outcome.bestSeconds))
        outcome.bestSeconds = seconds;
    } else {
      ++failures;
      ++outcome.failed;
    }
    observations.push_back({candidate.schedule, seconds});
    records.push_back(std::move(record));
  }
  pruner::Task stored{task.key, task.desc.name, task.text, task.flops,
                      task.bytes};
  auto counts = database.append({stored, records, {}});
  if (!counts)
    return counts.takeError();
  sessions[n]->search->observe(observations);
  training.add(n, sessions[n]->space, observations);
  scheduler->report(
      n, outcome.bestSeconds.value_or(std::numeric_limits<double>::infinity()));
  return llvm::Error::success();
}

/// Puts the schedule that one would take without a search in front.
void Tuner::addDefault(unsigned n, const Schedule &schedule,
                       std::vector<Candidate> &candidates) {
  if (llvm::any_of(candidates, [&](const Candidate &candidate) {
        return candidate.schedule == schedule;
      }))
    return;
  Candidate candidate;
  candidate.schedule = schedule;
  PsaOptions psa;
  psa.threads = environment.threads;
  candidate.draftSeconds = psaSeconds(
      summarize(tasks[n].desc, buildTiledProgram(tasks[n].desc, schedule)),
      environment.machine, psa);
  candidates.insert(candidates.begin(), std::move(candidate));
}

llvm::Error Tuner::round(unsigned n) {
  unsigned perTask = std::max<unsigned>(options.trials / tasks.size(), 1);
  unsigned count = std::min({options.batch, perTask, options.trials - done});
  std::vector<Candidate> candidates;
  {
    double predicted = split.predict;
    double start = now();
    // The first round leaves room for the default schedule. Dropping a proposal
    // instead would hide it from this run's search and not from a resumed one.
    std::optional<Schedule> first;
    if (sessions[n]->search->rounds() == 0)
      first = sessions[n]->space.defaultSchedule();
    candidates = sessions[n]->search->propose(first ? count - 1 : count);
    if (first)
      addDefault(n, *first, candidates);
    split.draft += now() - start - (split.predict - predicted);
  }
  if (candidates.empty()) {
    scheduler->giveUp(n);
    return llvm::Error::success();
  }
  std::vector<std::string> schedules;
  for (const Candidate &candidate : candidates)
    schedules.push_back(
        scheduleText(tasks[n].function->getContext(), candidate.schedule));
  MeasureJob measureJob = job(tasks[n]);
  measureJob.bestSeconds = results[n].bestSeconds.value_or(0);
  std::vector<MeasureResult> measured =
      options.buildOnly ? pool.build(measureJob, schedules)
                        : pool.measure(measureJob, schedules);
  return store(n, candidates, schedules, measured);
}

void Tuner::train() {
  if (!model || training.size() == 0 || options.buildOnly)
    return;
  Stopwatch watch(split.train);
  training.train(*model);
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
  double start = now();
  InterruptGuard guard;
  if (tasks.empty())
    return true;
  if (llvm::Error error = replay())
    return error;
  if (!options.buildOnly)
    if (llvm::Error error = measureDefaults())
      return error;
  if (done > 0 && done < options.trials)
    train();
  Progress progress("tuning", options.trials);
  progress.update(std::min(done, options.trials));
  while (done < options.trials && !interrupted()) {
    if (options.timeLimit > 0 && now() - start > options.timeLimit)
      break;
    int n = scheduler->next();
    if (n < 0)
      break;
    if (llvm::Error error = round(n))
      return error;
    if (done < options.trials)
      train();
    progress.update(done, progressNote(n));
  }
  progress.finish();
  return !interrupted();
}
