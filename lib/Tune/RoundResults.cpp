//===- RoundResults.cpp - what became of rounds ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundSession.h"
#include "Stopwatch.h"

using namespace pruner;

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
  wait();
  Session &session = *sessions[trial.task];
  bool over = trial.round < session.round();
  if (!over)
    completeBefore(trial);
  if (trial.verified && trial.seconds &&
      (!session.best || *trial.seconds < *session.best))
    session.best = trial.seconds;
  Observation observation{trial.schedule, trial.seconds, trial.score,
                          trial.draftSeconds};
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

/// Closes a complete round. What the first rounds taught waits until all of
/// them are complete, and is then told in the order of the tasks: so it does
/// not depend on where a run was cut. Later ones are told at once, or, where
/// rounds are proposed ahead, when the round behind them is complete.
void Rounds::finish(unsigned n) {
  if (held)
    release();
  Session &session = *sessions[n];
  session.search->resume(session.round() + 1, {});
  session.proposed = false;
  session.pending.clear();
  session.waiting = std::move(session.measured);
  session.bestThen =
      session.best.value_or(std::numeric_limits<double>::infinity());
  session.measured.clear();
  session.warm = true;
  if (warmingUp) {
    if (llvm::all_of(sessions, [](auto &s) { return s->warm; }))
      endWarmUp();
    return;
  }
  held = n;
  if (!options.ahead)
    release();
}

/// Tells what the complete round taught that was held back.
void Rounds::release() {
  if (!held)
    return;
  learn(*held);
  held = std::nullopt;
  requestTraining();
}

/// Before a round is proposed that was not thought of while the last one was
/// measured: that one is told, if the scheduler would go on with its task.
void Rounds::settle() {
  if (!held)
    return;
  int chosen = chooseTask(held);
  if (chosen < 0 || unsigned(chosen) == *held)
    release();
}

void Rounds::endWarmUp() {
  warmingUp = false;
  for (unsigned n = 0; n < tasks.size(); ++n)
    learn(n);
  requestTraining();
}

/// Tells the search what became of a complete round, adds it to what the model
/// is to be taught, and tells the scheduler the task's best time after it.
void Rounds::learn(unsigned n) {
  Session &session = *sessions[n];
  if (session.waiting.empty())
    return;
  session.search->observe(session.waiting);
  disagreements.add(session.waiting);
  for (auto &each : sessions)
    each->search->setDraftShare(disagreements.draftShare());
  learned += session.waiting.size();
  lessons.push_back({n, std::move(session.waiting)});
  session.waiting.clear();
  scheduler->report(n, session.bestThen);
}

/// A training costs by all that is known, and little that is new changes
/// little: with each sixteenth more.
void Rounds::requestTraining() {
  constexpr size_t kShare = 16;
  if (learned > asked && learned - asked >= asked / kShare)
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
  for (const Lesson &lesson : lessons) {
    batches.push_back({lesson.task, training.size(),
                       training.size() + lesson.observations.size()});
    training.add(int(lesson.task), sessions[lesson.task]->space,
                 lesson.observations);
  }
  lessons.clear();
  std::vector<size_t> due = std::exchange(trainings, {});
  // What each of them said of the tasks counts as well.
  if (!model->updatesFromScratch() || options.certainty.below > 0) {
    for (size_t count : due)
      train(count);
    return;
  }
  for (size_t count : llvm::reverse(due))
    if (training.train(*model, count).trained)
      return;
}

void Rounds::train(size_t count) {
  if (training.train(*model, count).trained)
    endCertainTasks(count);
}

/// Gives up the tasks of whose last batches the model says the same, as far as
/// it has been taught: that follows from the trials alone, and holds for good.
void Rounds::endCertainTasks(size_t count) {
  if (options.certainty.below <= 0)
    return;
  std::vector<std::vector<Batch>> known(tasks.size());
  for (const Batch &batch : batches)
    if (batch.end <= count)
      known[batch.task].push_back(batch);
  for (auto [n, ofTask] : llvm::enumerate(known)) {
    // Those before the last ones do not matter.
    size_t least = std::max(2u, options.certainty.batches);
    if (ofTask.size() < least)
      continue;
    std::vector<std::vector<float>> scores;
    for (const Batch &batch : llvm::ArrayRef(ofTask).take_back(least))
      scores.push_back(training.scores(*model, batch.begin, batch.end));
    if (isCertain(scores, options.certainty))
      scheduler->giveUp(unsigned(n));
  }
}

/// The task of the next round, as TaskScheduler::next() has it. Where what the
/// model says may end a task, the model is brought up to date before.
int Rounds::chooseTask(std::optional<unsigned> underWay) {
  if (options.certainty.below > 0)
    teach();
  return scheduler->next(underWay);
}
