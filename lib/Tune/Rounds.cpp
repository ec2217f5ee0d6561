//===- Rounds.cpp - the rounds of a tuning run ----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rounds.h"

#include "Stopwatch.h"

#include "pruner/Analysis/Psa.h"

#include "llvm/Support/MathExtras.h"

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

/// A task's space and search, and the round that is under way.
struct Rounds::Session {
  Session(const TuneTask &task, const Machine &machine)
      : space(task.desc, machine) {}

  ScheduleSpace space;
  std::unique_ptr<CostModel> model; ///< As the search sees it; may be null.
  std::unique_ptr<SearchStrategy> search;

  std::optional<double> untuned; ///< Seconds of the default.
  std::optional<double> best;    ///< Seconds of the best verified trial.

  /// Whether the present round's candidates are known.
  bool proposed = false;
  /// Those of them that are not measured yet, in order.
  std::vector<Candidate> pending;
  /// What became of the others.
  std::vector<Observation> measured;
  /// What became of a complete round that waits for the end of the warm-up.
  std::vector<Observation> waiting;
  /// The first round is complete, or there is none.
  bool warm = false;

  /// Of the round that is under way, or of the next.
  unsigned round() const { return search->rounds() - (proposed ? 1 : 0); }
};

Rounds::Rounds(llvm::ArrayRef<TuneTask> tasks, const Machine &machine,
               CostModel *model, RoundsOptions given, TimeSplit &times)
    : tasks(tasks), model(model), options(std::move(given)), times(times),
      training(options.search.features, options.search.psa) {
  std::vector<ScheduledTask> scheduled;
  for (const TuneTask &task : tasks) {
    std::string kind = task.desc.hasReduction() ? "contraction" : "elementwise";
    scheduled.push_back(
        {task.weight, task.flops, similarityTag(kind, task.flops)});
    auto session = std::make_unique<Session>(task, machine);
    if (model)
      session->model = std::make_unique<TimedModel>(*model, times.predict);
    session->search = createSearchStrategy(
        options.strategy, session->space, session->model.get(), options.search);
    sessions.push_back(std::move(session));
  }
  TaskSchedulerOptions of;
  of.roundsEach = unsigned(
      llvm::divideCeil(options.trialsPerTask, std::max(1u, options.batch)));
  scheduler = std::make_unique<TaskScheduler>(std::move(scheduled), of);
}

Rounds::~Rounds() = default;

void Rounds::setDefault(unsigned n, std::optional<double> seconds) {
  sessions[n]->untuned = seconds;
}

std::optional<double> Rounds::best(unsigned n) const {
  return sessions[n]->best;
}

//===----------------------------------------------------------------------===//
// What is next
//===----------------------------------------------------------------------===//

/// While the first rounds are under way: the task with the largest share of the
/// untuned model among those that are behind. Later: the round that was begun,
/// or the task that the scheduler chooses.
Rounds::Choice Rounds::choose() const {
  std::vector<unsigned> cold;
  for (unsigned n = 0; n < tasks.size(); ++n)
    if (!sessions[n]->warm)
      cold.push_back(n);
  if (cold.size() == 1)
    return {int(cold.front()), options.batch};
  auto share = [&](unsigned n) {
    return tasks[n].weight * sessions[n]->untuned.value_or(0);
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
void Rounds::propose(unsigned n) {
  teach();
  Session &session = *sessions[n];
  double predicted = times.predict;
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
    candidate.draftSeconds = psaSeconds(
        summarize(tasks[n].desc, buildTiledProgram(tasks[n].desc, *first)),
        session.space.machine(), options.search.psa);
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
  times.draft += Stopwatch::now() - start - (times.predict - predicted);
}

/// Of a round that was read back, and may have been cut, the candidates are
/// proposed again, since they follow from the rounds before it; what is missing
/// is measured first.
void Rounds::resumeCut() {
  for (unsigned n = 0; n < tasks.size(); ++n) {
    Session &session = *sessions[n];
    if (session.proposed || session.measured.empty())
      continue;
    if (session.measured.size() < options.batch)
      propose(n);
    if (session.pending.empty())
      finish(n);
  }
}

RoundSlice Rounds::next(unsigned most) {
  resumeCut();
  while (true) {
    Choice choice = choose();
    if (choice.task < 0)
      return {};
    unsigned n = unsigned(choice.task);
    Session &session = *sessions[n];
    if (!session.proposed)
      propose(n);
    if (session.pending.empty()) {
      // The space is searched through.
      scheduler->giveUp(n);
      finish(n);
      continue;
    }
    size_t count =
        std::min<size_t>({choice.count, session.pending.size(), most});
    return {choice.task,
            session.round(),
            {session.pending.begin(), session.pending.begin() + count}};
  }
}

//===----------------------------------------------------------------------===//
// What became of it
//===----------------------------------------------------------------------===//

/// But for the first ones only one round is under way at a time.
void Rounds::completeBefore(const TrialOutcome &trial) {
  if (warmingUp && trial.round == 0)
    return;
  for (unsigned n = 0; n < tasks.size(); ++n) {
    bool same = n == trial.task && sessions[n]->round() == trial.round;
    if (!same && !sessions[n]->measured.empty())
      finish(n);
  }
  for (auto &session : sessions)
    session->warm = true;
  if (warmingUp)
    endWarmUp();
  SearchStrategy &search = *sessions[trial.task]->search;
  if (sessions[trial.task]->round() < trial.round)
    search.resume(trial.round, {});
}

void Rounds::add(const TrialOutcome &trial) {
  Session &session = *sessions[trial.task];
  bool over = trial.round < session.round();
  if (!over)
    completeBefore(trial);
  if (trial.verified && trial.seconds &&
      (!session.best || *trial.seconds < *session.best))
    session.best = trial.seconds;
  Observation observation{trial.schedule, trial.seconds};
  if (over) {
    session.search->observe(observation);
    lessons.push_back({trial.task, {observation}});
    ++learned;
    return;
  }
  session.measured.push_back(std::move(observation));
  llvm::erase_if(session.pending, [&](const Candidate &candidate) {
    return candidate.schedule == trial.schedule;
  });
  if (session.proposed && session.pending.empty())
    finish(trial.task);
}

/// Hands a complete round to the search, the model and the scheduler. What the
/// first rounds taught waits until all of them are complete, and is then told
/// in the order of the tasks: so it does not depend on where a run was cut.
void Rounds::finish(unsigned n) {
  Session &session = *sessions[n];
  session.search->resume(session.round() + 1, session.measured);
  session.proposed = false;
  session.pending.clear();
  session.waiting = std::move(session.measured);
  session.measured.clear();
  session.warm = true;
  if (!warmingUp) {
    learn(n);
    requestTraining();
  } else if (llvm::all_of(sessions, [](auto &s) { return s->warm; })) {
    endWarmUp();
  }
}

void Rounds::endWarmUp() {
  warmingUp = false;
  for (unsigned n = 0; n < tasks.size(); ++n)
    learn(n);
  requestTraining();
}

/// Adds a complete round to what the model is to be taught, and tells the
/// scheduler the task's best time after it.
void Rounds::learn(unsigned n) {
  Session &session = *sessions[n];
  if (session.waiting.empty())
    return;
  learned += session.waiting.size();
  lessons.push_back({n, std::move(session.waiting)});
  session.waiting.clear();
  scheduler->report(
      n, session.best.value_or(std::numeric_limits<double>::infinity()));
}

void Rounds::requestTraining() {
  if (learned > asked)
    trainings.push_back(asked = learned);
}

/// Trains the model as often as was asked for, each time with what was known
/// then. Where a training forgets the former ones, the last is enough.
void Rounds::teach() {
  if (!model || !options.learns) {
    lessons.clear();
    trainings.clear();
  }
  if (trainings.empty())
    return;
  Stopwatch watch(times.train);
  for (const Lesson &lesson : lessons)
    training.add(int(lesson.task), sessions[lesson.task]->space,
                 lesson.observations);
  lessons.clear();
  std::vector<size_t> due = std::exchange(trainings, {});
  if (!model->updatesFromScratch()) {
    for (size_t count : due)
      training.train(*model, count);
    return;
  }
  for (size_t count : llvm::reverse(due))
    if (training.train(*model, count).trained)
      return;
}
