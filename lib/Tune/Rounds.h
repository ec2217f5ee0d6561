//===- Rounds.h - the rounds of a tuning run --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds decides which candidates to measure next, and passes the results to
// the search strategies, the learned model and the task scheduler in a fixed
// order. A resumed run passes its recorded trials through the same call, add().
// It therefore reaches the same state after the same trials, wherever the run
// was interrupted.
//
// A round is a batch of candidates of one task. The first rounds of all tasks
// are interleaved in growing parts (1, 1, 2, 4, ... candidates), so that even
// few trials reach every task. Tasks with the largest predicted share of the
// network's time go first. When all first rounds are complete, their results
// are reported in the order of the tasks. Later rounds run one after the other.
//
// With `prefetch`, the next round is proposed while one round is measured. It
// uses the results of all rounds before that one. If the task scheduler would
// choose the same task again, it waits for the results instead. Both follow
// from the trials alone, so a resumed run makes the same choices, whether or
// not prefetching finished in time.
//
// With `certainty`, tuning of a task stops early when the predictions of the
// model for its last rounds hardly vary. This is decided after every training,
// so it also follows from the trials alone.

#ifndef PRUNER_LIB_TUNE_ROUNDS_H
#define PRUNER_LIB_TUNE_ROUNDS_H

#include "pruner/Search/Certainty.h"
#include "pruner/Search/Strategy.h"
#include "pruner/Search/TaskScheduler.h"
#include "pruner/Search/Training.h"
#include "pruner/Search/Trust.h"
#include "pruner/Support/Threads.h"
#include "pruner/Tune/Tuner.h"

#include <mutex>

namespace pruner {

struct RoundsOptions {
  unsigned batch = 10; ///< Candidates of a round.
  /// Trials of each task, in whole rounds, in rotation; 0: by gradient.
  unsigned trialsPerTask = 0;
  const SearchStrategy *strategy = &strategies::draftVerify();
  SearchOptions search;
  /// Whether the model is trained during the run.
  bool learns = true;
  /// The number of candidates, of different tasks, that are proposed and handed
  /// out together during the first rounds.
  unsigned sideBySide = 8;
  /// Whether rounds after the first are proposed without the results of the
  /// previous round, so that prefetchRound() is useful.
  bool prefetch = false;
  /// When tuning of a task stops early (Search/Certainty.h). Decided after
  /// every training, with the model that it produced.
  CertaintyOptions certainty;
  /// How the network calls the tasks, if parts of it have several forms.
  NetworkPart network;
};

class Rounds {
public:
  /// The tasks and the model (which may be null) must outlive this object. Time
  /// spent is added to `times`.
  Rounds(llvm::ArrayRef<ModuleTask> tasks, const Machine &machine,
         CostModel *model, RoundsOptions options, TimeSplit &times);
  ~Rounds();

  /// Adds a trial of this process or of an earlier one. A trial of a later
  /// round than the current one means that the current round is complete,
  /// because the space had no more candidates. A trial of a past round (two
  /// processes continued the same run) trains the model without belonging to a
  /// round.
  void add(const Trial &trial);

  /// Returns at most `most` candidates to measure next, in this order; none if
  /// tuning is finished. Repeated calls return the same candidates until a
  /// trial is added. No candidate depends on the results of those before it.
  /// The model is trained here and not earlier. Therefore a resumed run trains
  /// only once if each training starts from scratch, and a complete run not at
  /// all.
  std::vector<Trial> next(unsigned most);

  /// Starts to propose the round after the one that next() returned, on its own
  /// thread, and returns. Call it while that round is measured. The other
  /// methods wait until it has finished.
  void prefetchRound();

  /// Least time of the task's verified trials, in seconds.
  std::optional<double> best(unsigned task) const;

private:
  struct Session;
  struct Choice {
    int task = -1;
    unsigned count = 0;
  };

  double predicted(unsigned task, const Schedule &schedule) const;
  /// Returns the options of the run, adapted to one task.
  SearchOptions searchOptions(const ModuleTask &task) const;
  Choice choose() const;
  std::vector<Schedule> knownSchedules(unsigned task) const;
  void propose(unsigned task);
  void proposeAll(llvm::ArrayRef<unsigned> chosen);
  std::vector<unsigned> unproposedFrom(unsigned task) const;
  void resumeInterruptedRounds();
  void wait();
  void reportIfChosen();
  void replayChoice(unsigned task);
  bool proposeOrGiveUp(unsigned task);
  void reportRound();
  int begin(std::optional<unsigned> underWay);
  void completeBefore(const Trial &trial);
  void finish(unsigned task);
  void endWarmUp();
  void commitRound(unsigned task);
  void requestTraining();
  void trainModel();
  void train(size_t count);
  void endCertainTasks(size_t count);
  int chooseTask(std::optional<unsigned> underWay);

  llvm::ArrayRef<ModuleTask> tasks;
  CostModel *model;
  RoundsOptions options;
  TimeSplit &times;
  std::vector<std::unique_ptr<Session>> sessions;
  std::unique_ptr<TaskScheduler> scheduler;
  std::mutex predicting;
  /// Tasks by their predicted share of the network's time, largest first.
  std::vector<unsigned> firstRounds;
  bool warmingUp = true;

  TrainingData training;
  /// Batches that are not in the training data yet, each of one task.
  std::vector<std::vector<Trial>> pendingBatches;
  /// The number of measurements for each training that is due.
  std::vector<size_t> dueTrainings;
  /// A batch in the training data: its task, and the range [begin, end) of its
  /// programs.
  struct TrainedBatch {
    unsigned task;
    size_t begin, end;
  };
  std::vector<TrainedBatch> trainedBatches;
  Disagreements disagreements;
  /// Measurements in all batches so far, trained or pending.
  size_t numCommitted = 0;
  /// The value of numCommitted when the last training was requested.
  size_t numRequested = 0;

  /// The task of a complete round that is not reported yet.
  std::optional<unsigned> unreportedRound;
  /// The task of the round that next() returned last.
  std::optional<unsigned> measuring;
  /// The task whose round was proposed while another one is measured.
  std::optional<unsigned> prefetchedRound;
  Thread prefetchThread;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_ROUNDS_H
