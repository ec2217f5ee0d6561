//===- Rounds.cpp - the rounds of a tuning run ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundSession.h"
#include "Stopwatch.h"
#include "TimedModel.h"

#include "pruner/Analysis/DraftModel.h"

#include "llvm/Support/MathExtras.h"

using namespace pruner;

Rounds::Rounds(llvm::ArrayRef<ModuleTask> tasks, const Machine &machine,
               CostModel *model, RoundsOptions given, TimeSplit &times)
    : tasks(tasks), model(model), options(std::move(given)), times(times),
      training(model ? model->reads() : FeatureParts(), options.search.features,
               options.search.psa) {
  std::vector<ScheduledTask> scheduled;
  for (const ModuleTask &task : tasks) {
    scheduled.push_back(
        {task.weight, task.flops, similarityTag(task.kind, task.flops)});
    auto session = std::make_unique<Session>(task, machine);
    if (model)
      session->model =
          std::make_unique<TimedModel>(*model, predicting, times.predict);
    session->search = options.strategy->createSearch(
        session->space, session->model.get(), searchOptions(task));
    sessions.push_back(std::move(session));
  }
  TaskSchedulerOptions forScheduler;
  forScheduler.roundsEach = unsigned(
      llvm::divideCeil(options.trialsPerTask, std::max(1u, options.batch)));
  scheduler = std::make_unique<TaskScheduler>(
      std::move(scheduled), forScheduler, std::move(options.network));

  std::vector<double> shares;
  for (unsigned n = 0; n < tasks.size(); ++n) {
    auto schedule = sessions[n]->space.defaultSchedule();
    shares.push_back(schedule ? tasks[n].weight * predicted(n, *schedule) : 0);
    firstRounds.push_back(n);
  }
  llvm::stable_sort(firstRounds, [&](unsigned a, unsigned b) {
    return shares[a] > shares[b];
  });
}

SearchOptions Rounds::searchOptions(const ModuleTask &task) const {
  SearchOptions ofTask = options.search;
  ofTask.psa.caches = task.cacheState;
  return ofTask;
}

/// Predicted seconds by the analytical model.
double Rounds::predicted(unsigned n, const Schedule &schedule) const {
  return DraftModel(tasks[n].desc, sessions[n]->space.machine(),
                    searchOptions(tasks[n]).psa)(schedule);
}

Rounds::~Rounds() { wait(); }

std::optional<double> Rounds::best(unsigned n) const {
  return sessions[n]->best;
}

//===----------------------------------------------------------------------===//
// Choosing the next candidates
//===----------------------------------------------------------------------===//

/// Chooses the task and the number of the next candidates. During the
/// first rounds: the task with the largest predicted share of the network's
/// time among those with the fewest candidates. Later: the round that was
/// started, then the prefetched one; task -1 if there is neither.
Rounds::Choice Rounds::choose() const {
  std::vector<unsigned> cold;
  for (unsigned n : firstRounds)
    if (!sessions[n]->warm)
      cold.push_back(n);
  if (cold.size() == 1)
    return {int(cold.front()), options.batch};
  for (unsigned target = 1; !cold.empty(); target *= 2)
    for (unsigned n : cold) {
      size_t had = sessions[n]->measured.size() + sessions[n]->handedOut;
      if (had < target)
        return {int(n), unsigned(target - had)};
    }

  for (unsigned n = 0; n < tasks.size(); ++n)
    if (!sessions[n]->pending.empty() && n != prefetchedRound)
      return {int(n), options.batch};
  return {prefetchedRound ? int(*prefetchedRound) : -1, options.batch};
}

/// Returns the schedules that the first round of a task tries in addition to
/// those of the search, at most half of a batch: schedules of similar tasks,
/// and the default schedule of the space.
std::vector<Schedule> Rounds::knownSchedules(unsigned n) const {
  const ScheduleSpace &space = sessions[n]->space;
  std::vector<Schedule> known;
  auto take = [&](std::optional<Schedule> schedule) {
    if (schedule && !llvm::is_contained(known, *schedule) &&
        known.size() < std::max(1u, options.batch / 2))
      known.push_back(std::move(*schedule));
  };
  for (const Schedule &schedule : tasks[n].similar)
    take(space.adopt(schedule));
  take(space.defaultSchedule());
  return known;
}

/// Proposes the candidates of the task's next round, always a whole batch, and
/// leaves out those that were measured before an interruption.
void Rounds::propose(unsigned n) {
  Session &session = *sessions[n];
  // Leave room in the first round for the known schedules. Dropping proposals
  // instead would hide them from the search of this run.
  std::vector<Schedule> known;
  if (session.search->rounds() == 0 && options.strategy->measuresKnown())
    known = knownSchedules(n);
  session.search->exclude(known);
  std::vector<Trial> &pending = session.pending;
  pending = session.search->propose(options.batch - known.size());
  std::vector<Trial> judged;
  for (const Schedule &schedule : known)
    judged.push_back(session.search->judge(schedule));
  // The best draft, which is more often the fastest, comes before the known
  // schedules, unless it is one of them.
  bool drafted =
      !pending.empty() && llvm::none_of(judged, [&](const Trial &each) {
        return each.draftSeconds <= pending.front().draftSeconds;
      });
  pending.insert(pending.begin() + drafted, judged.begin(), judged.end());
  llvm::erase_if(pending, [&](const Trial &candidate) {
    return llvm::any_of(session.measured, [&](const Trial &trial) {
      return trial.schedule == candidate.schedule;
    });
  });
  size_t room =
      options.batch - std::min<size_t>(options.batch, session.measured.size());
  if (pending.size() > room)
    pending.resize(room);
  session.proposed = true;
  for (Trial &candidate : pending) {
    candidate.task = n;
    candidate.round = session.round();
  }
}

/// Proposes the rounds of several tasks in parallel; they are independent.
void Rounds::proposeAll(llvm::ArrayRef<unsigned> chosen) {
  trainModel();
  double before = times.predict, start = Stopwatch::now();
  if (chosen.size() == 1) {
    propose(chosen.front());
  } else if (!chosen.empty()) {
    parallelFor(chosen.size(), [&](size_t n) { propose(chosen[n]); });
  }
  double seconds = Stopwatch::now() - start - (times.predict - before);
  times.draft += std::max(0.0, seconds);
}

/// Proposes the candidates of interrupted rounds again. They follow from the
/// rounds before, and those that are not measured yet come first.
void Rounds::resumeInterruptedRounds() {
  std::vector<unsigned> cut, unproposed;
  for (unsigned n = 0; n < tasks.size(); ++n) {
    const Session &session = *sessions[n];
    if (session.proposed || session.measured.empty())
      continue;
    cut.push_back(n);
    if (session.measured.size() < options.batch)
      unproposed.push_back(n);
  }
  if (!unproposed.empty())
    replayChoice(unproposed.front());
  proposeAll(unproposed);
  for (unsigned n : cut)
    if (sessions[n]->pending.empty())
      finish(n);
}

/// Restores the state in which a round of task `n` was proposed: whether the
/// round before had been reported, which depends on the tasks that had ended.
void Rounds::replayChoice(unsigned n) {
  for (reportIfChosen(); unreportedRound && !prefetchedRound;
       reportIfChosen()) {
    int chosen = chooseTask(unreportedRound);
    if (chosen < 0 || unsigned(chosen) == n)
      return;
    if (proposeOrGiveUp(unsigned(chosen)))
      // The recorded trials do not follow from this run's history.
      prefetchedRound = unsigned(chosen);
  }
}

/// Returns false if the space has no more candidates.
bool Rounds::proposeOrGiveUp(unsigned n) {
  proposeAll(n);
  Session &session = *sessions[n];
  if (!session.pending.empty())
    return true;
  session.proposed = false;
  scheduler->giveUp(n);
  return false;
}

/// Returns the task, and those whose first rounds start next.
std::vector<unsigned> Rounds::unproposedFrom(unsigned n) const {
  std::vector<unsigned> result{n};
  for (unsigned other : firstRounds)
    if (result.size() < options.sideBySide && other != n &&
        !sessions[other]->warm && !sessions[other]->proposed)
      result.push_back(other);
  return result;
}

/// Proposes the next round of the task that the scheduler chooses, and returns
/// the task; -1 if there is none or if it is `underWay`. Ends tasks whose space
/// has no more candidates.
int Rounds::begin(std::optional<unsigned> underWay) {
  while (true) {
    if (!underWay)
      reportIfChosen();
    int chosen = chooseTask(underWay ? underWay : unreportedRound);
    if (chosen < 0 || unsigned(chosen) == underWay)
      return -1;
    if (proposeOrGiveUp(unsigned(chosen)))
      return chosen;
  }
}

void Rounds::prefetchRound() {
  wait();
  if (!options.prefetch || warmingUp || prefetchedRound || !measuring ||
      sessions[*measuring]->pending.size() != sessions[*measuring]->handedOut)
    return;
  auto prefetch = [this] {
    double spent = times.draft + times.predict + times.train;
    reportRound();
    TaskSearch::SingleThreaded singleThreaded;
    if (int chosen = begin(*measuring); chosen >= 0)
      prefetchedRound = unsigned(chosen);
    times.overlapped += times.draft + times.predict + times.train - spent;
  };
  // If no thread can be started, the result is the same, only later.
  if (!prefetchThread.start(prefetch))
    prefetch();
}

/// Waits for prefetchRound().
void Rounds::wait() {
  if (!prefetchThread.isRunning())
    return;
  Stopwatch watch(times.waited);
  prefetchThread.join();
}

std::vector<Trial> Rounds::next(unsigned most) {
  wait();
  resumeInterruptedRounds();
  for (auto &session : sessions)
    session->handedOut = 0;
  std::vector<Trial> trials;
  size_t enough = std::min(most, options.sideBySide);
  do {
    Choice choice = choose();
    if (choice.task < 0 && !warmingUp)
      choice.task = begin(std::nullopt);
    if (choice.task < 0)
      break;
    unsigned n = unsigned(choice.task);
    Session &session = *sessions[n];
    if (!session.proposed)
      proposeAll(unproposedFrom(n));
    if (session.pending.empty() && trials.empty()) {
      // The space has no more candidates.
      scheduler->giveUp(n);
      finish(n);
      continue;
    }
    auto from = session.pending.begin() + session.handedOut;
    size_t count =
        std::min<size_t>({choice.count, size_t(session.pending.end() - from),
                          most - trials.size()});
    // The next candidates depend on the results of these.
    if (count == 0)
      break;
    trials.insert(trials.end(), from, from + count);
    session.handedOut += count;
  } while (trials.empty() || (warmingUp && trials.size() < enough));
  if (!trials.empty() && !warmingUp) {
    measuring = trials.back().task;
    if (measuring == prefetchedRound)
      prefetchedRound = std::nullopt;
  }
  return trials;
}
