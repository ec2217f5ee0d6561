//===- RoundResults.cpp - add the results of trials to the rounds ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RoundSession.h"
#include "Stopwatch.h"

using namespace pruner;

/// Completes all rounds that must end before `trial`. After the first rounds
/// only one round is open at a time.
void Rounds::completeBefore(const Trial &trial) {
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
  TaskSearch &search = *sessions[trial.task]->search;
  if (sessions[trial.task]->round() < trial.round)
    search.resume(trial.round, {});
}

void Rounds::add(const Trial &trial) {
  wait();
  Session &session = *sessions[trial.task];
  bool over = trial.round < session.round();
  if (!over)
    completeBefore(trial);
  if (trial.verified && trial.seconds &&
      (!session.best || *trial.seconds < *session.best))
    session.best = trial.seconds;
  if (over) {
    session.search->observe(trial);
    pendingBatches.push_back({trial});
    ++numCommitted;
    return;
  }
  session.measured.push_back(trial);
  llvm::erase_if(session.pending, [&](const Trial &candidate) {
    return candidate.schedule == trial.schedule;
  });
  if (session.proposed && session.pending.empty())
    finish(trial.task);
}

/// Closes a complete round. The results of the first rounds are reported when
/// all of them are complete, in the order of the tasks, so that they do not
/// depend on where a run was interrupted. Later rounds are reported at once or,
/// with `prefetch`, when the next round is complete.
void Rounds::finish(unsigned n) {
  if (unreportedRound)
    reportRound();
  Session &session = *sessions[n];
  session.search->resume(session.round() + 1, {});
  session.proposed = false;
  session.pending.clear();
  session.unreported = std::move(session.measured);
  session.bestAtRoundEnd =
      session.best.value_or(std::numeric_limits<double>::infinity());
  session.measured.clear();
  session.warm = true;
  if (warmingUp) {
    if (llvm::all_of(sessions, [](auto &s) { return s->warm; }))
      endWarmUp();
    return;
  }
  unreportedRound = n;
  if (!options.prefetch)
    reportRound();
}

/// Reports the complete round that is not reported yet.
void Rounds::reportRound() {
  if (!unreportedRound)
    return;
  commitRound(*unreportedRound);
  unreportedRound = std::nullopt;
  requestTraining();
}

/// Called before a round is proposed that was not prefetched: reports the last
/// round if the scheduler would choose its task again.
void Rounds::reportIfChosen() {
  if (!unreportedRound)
    return;
  int chosen = chooseTask(unreportedRound);
  if (chosen < 0 || unsigned(chosen) == *unreportedRound)
    reportRound();
}

void Rounds::endWarmUp() {
  warmingUp = false;
  for (unsigned n = 0; n < tasks.size(); ++n)
    commitRound(n);
  requestTraining();
}

/// Passes the results of a complete round to the search strategy and the
/// training data, and its best time to the task scheduler.
void Rounds::commitRound(unsigned n) {
  Session &session = *sessions[n];
  if (session.unreported.empty())
    return;
  session.search->observe(session.unreported);
  disagreements.add(session.unreported);
  for (auto &each : sessions)
    each->search->setDraftShare(disagreements.draftShare());
  numCommitted += session.unreported.size();
  pendingBatches.push_back(std::exchange(session.unreported, {}));
  scheduler->report(n, session.bestAtRoundEnd);
}

/// Requests a training when the number of measurements has grown by a
/// sixteenth. A training takes time proportional to all measurements, and few
/// new ones change little.
void Rounds::requestTraining() {
  constexpr size_t kShare = 16;
  if (numCommitted > numRequested &&
      numCommitted - numRequested >= numRequested / kShare)
    dueTrainings.push_back(numRequested = numCommitted);
}

/// Runs the requested trainings, each with the measurements at the time of the
/// request. If each training starts from scratch, only the last one is run.
void Rounds::trainModel() {
  if (!model || !options.learns) {
    pendingBatches.clear();
    dueTrainings.clear();
  }
  if (dueTrainings.empty())
    return;
  Stopwatch watch(times.train);
  for (const std::vector<Trial> &batch : pendingBatches) {
    unsigned task = batch.front().task;
    trainedBatches.push_back(
        {task, training.size(), training.size() + batch.size()});
    training.add(sessions[task]->space, batch);
  }
  pendingBatches.clear();
  std::vector<size_t> due = std::exchange(dueTrainings, {});
  // Each training may also end tasks.
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

/// Ends the tasks for which the predictions of the model hardly vary over their
/// last batches, among the batches that it was trained on. This follows from
/// the trials alone and is final.
void Rounds::endCertainTasks(size_t count) {
  if (options.certainty.below <= 0)
    return;
  std::vector<std::vector<TrainedBatch>> known(tasks.size());
  for (const TrainedBatch &batch : trainedBatches)
    if (batch.end <= count)
      known[batch.task].push_back(batch);
  for (auto [n, ofTask] : llvm::enumerate(known)) {
    // Only the last batches count.
    size_t least = std::max(2u, options.certainty.batches);
    if (ofTask.size() < least)
      continue;
    std::vector<std::vector<float>> scores;
    for (const TrainedBatch &batch : llvm::ArrayRef(ofTask).take_back(least))
      scores.push_back(training.scores(*model, batch.begin, batch.end));
    if (isCertain(scores, options.certainty))
      scheduler->giveUp(unsigned(n));
  }
}

/// Returns the task of the next round (TaskScheduler::next()). If the model may
/// end tasks, it is trained first.
int Rounds::chooseTask(std::optional<unsigned> underWay) {
  if (options.certainty.below > 0)
    trainModel();
  return scheduler->next(underWay);
}
