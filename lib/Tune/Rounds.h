//===- Rounds.h - the rounds of a tuning run --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is measured next, and what search, model and task scheduler are told of
// it, in which order. A run that measures and one that reads its records back
// tell the outcomes of trials here, the same in the same order; so both are in
// the same state after the same trials, wherever the run was cut.
//
// A round is a batch of candidates of one task. The first rounds of all tasks
// go side by side, in growing parts (1, 1, 2, 4, ... candidates), so that few
// trials still reach every task; the tasks with the largest predicted share of
// the model go first. What they taught is told when all of them are complete,
// in the order of the tasks. After them one round follows the other.
//
// Where rounds are proposed ahead, the next round is thought of while one is
// measured, and so by what the rounds before that one taught. Where the task
// scheduler would then choose the same task again, it waits for its outcomes
// instead. Both follow from the trials alone: a run that continues does the
// same, whether anything was thought of in time or not.
//
// A task may end before its trials do (`certainty`): when what the model says
// of its last rounds hardly varies. That is judged after every training, so it,
// too, follows from the trials alone.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_ROUNDS_H
#define PRUNER_LIB_TUNE_ROUNDS_H

#include "pruner/Search/Certainty.h"
#include "pruner/Search/Search.h"
#include "pruner/Search/TaskScheduler.h"
#include "pruner/Search/Training.h"
#include "pruner/Search/Trust.h"
#include "pruner/Support/Threads.h"
#include "pruner/Tune/Tuner.h"

#include <mutex>

namespace pruner {

struct RoundsOptions {
  unsigned batch = 10; ///< Candidates of a round.
  /// Trials of each task, in whole rounds, all tasks in turns; 0: by gradient.
  unsigned trialsPerTask = 0;
  std::string strategy = "draft-verify";
  SearchOptions search;
  /// Whether the model is trained by what is measured.
  bool learns = true;
  /// So many candidates of several tasks are proposed and handed out together
  /// during the first rounds.
  unsigned sideBySide = 8;
  /// Whether rounds after the first are proposed without what the one before
  /// them taught, so that lookAhead() can be of use.
  bool ahead = false;
  /// When a task is measured no more (Search/Certainty.h); judged after every
  /// training, by the model that came of it.
  CertaintyOptions certainty;
};

/// What became of a candidate.
struct TrialOutcome {
  unsigned task = 0;
  Schedule schedule;
  std::optional<double> seconds; ///< Of one run; nothing if it failed.
  bool verified = false;         ///< Only then it may be the best of its task.
  unsigned round = 0;            ///< Of its task, counted from 0.
  /// What the models said when it was proposed, as Observation has it.
  std::optional<float> score = std::nullopt;
  double draftSeconds = 0;
};

/// Candidates of one task to measure at once.
struct RoundSlice {
  unsigned task = 0;
  unsigned round = 0;
  std::vector<Candidate> candidates;
};

class Rounds {
public:
  /// The tasks and the model (which may be null) must outlive it. Seconds spent
  /// are added to `times`.
  Rounds(llvm::ArrayRef<TuneTask> tasks, const Machine &machine,
         CostModel *model, RoundsOptions options, TimeSplit &times);
  ~Rounds();

  /// A trial was made, now or by an earlier process. One of a later round than
  /// the one that is under way says that this one is complete: the space had no
  /// more to offer. One of a round that is over (two processes went on with the
  /// same run) teaches without being a part of a round.
  void add(const TrialOutcome &trial);

  /// At most `most` candidates to measure next, in this order; the same ones
  /// until an outcome is added, none where there are none left. No slice
  /// depends on the outcomes of those before it. The model is brought up to
  /// date here, and not before: of a run that is read back only the last
  /// training counts where each forgets the former ones, and of one that is
  /// complete none.
  std::vector<RoundSlice> next(unsigned most);

  /// Begins to propose the round after the one that next() gave, on a thread of
  /// its own, and returns. For while that one is measured; the other calls wait
  /// for its end.
  void lookAhead();

  /// The least time of the task's verified trials, seconds.
  std::optional<double> best(unsigned task) const;

private:
  struct Session;
  struct Lesson {
    unsigned task;
    std::vector<Observation> observations;
  };
  struct Choice {
    int task = -1;
    unsigned count = 0;
  };

  double predicted(unsigned task, const Schedule &schedule) const;
  /// Those of the run for one of its tasks.
  SearchOptions searchOptions(const TuneTask &task) const;
  Choice choose() const;
  std::vector<Schedule> unsearched(unsigned task) const;
  void propose(unsigned task);
  void proposeAll(llvm::ArrayRef<unsigned> chosen);
  std::vector<unsigned> unproposedFrom(unsigned task) const;
  void resumeCut();
  void wait();
  void settle();
  void retrace(unsigned task);
  bool proposeOrGiveUp(unsigned task);
  void release();
  int begin(std::optional<unsigned> underWay);
  void completeBefore(const TrialOutcome &trial);
  void finish(unsigned task);
  void endWarmUp();
  void learn(unsigned task);
  void requestTraining();
  void teach();
  void train(size_t count);
  void endCertainTasks(size_t count);
  int chooseTask(std::optional<unsigned> underWay);

  llvm::ArrayRef<TuneTask> tasks;
  CostModel *model;
  RoundsOptions options;
  TimeSplit &times;
  std::vector<std::unique_ptr<Session>> sessions;
  std::unique_ptr<TaskScheduler> scheduler;
  std::mutex predicting;
  /// The tasks by their predicted share of the model, the largest first.
  std::vector<unsigned> firstRounds;
  bool warmingUp = true;

  TrainingData training;
  /// What the model has not been taught yet.
  std::vector<Lesson> lessons;
  /// How many measurements each training has that is due.
  std::vector<size_t> trainings;
  /// Where the programs of each lesson stand in the training data: its task,
  /// the first one and the one behind the last.
  struct Batch {
    unsigned task;
    size_t begin, end;
  };
  std::vector<Batch> batches;
  Disagreements disagreements;
  size_t learned = 0; ///< Measurements in all lessons so far.
  size_t asked = 0;   ///< Those of the last training that was asked for.

  /// The task of a complete round of which nothing was told yet.
  std::optional<unsigned> held;
  /// The task whose round next() gave last.
  std::optional<unsigned> measuring;
  /// The task whose round was proposed while another one is measured.
  std::optional<unsigned> proposedAhead;
  Thread thinking;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_ROUNDS_H
