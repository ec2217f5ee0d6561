//===- Search.h - the search for schedules of one task ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search explores the schedule space of one task: it receives measured
// schedules and proposes candidates. It neither measures nor trains. The
// searches of all strategies (Strategy.h) share the space, the mutations and
// the record of proposed schedules.
//
// Every round draws from a random generator that is seeded by the run's seed
// and the number of the round. The only other state is the measured trials.
// Therefore the same seed, trials and model give the same candidates,
// whether or not the run was interrupted (`resume`).

#ifndef PRUNER_SEARCH_SEARCH_H
#define PRUNER_SEARCH_SEARCH_H

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Search/Evolution.h"
#include "pruner/Search/Trial.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace pruner {

/// The options that several strategies share, with the published constants of
/// Pruner's search, from the released code.
struct SearchOptions {
  uint64_t seed = 0;
  /// Random schedules per round, and the size of a generation.
  unsigned population = 1536;
  /// Generations after the first that the analytical model scores (3
  /// evaluations in total).
  unsigned draftGenerations = 2;
  /// The number of drafts that are kept (|S_spec|).
  unsigned draftSize = 512;
  /// The number of drafts, best first, that steepest descent over their
  /// neighbors improves. This is not from the paper: three generations end far
  /// from a minimum of the analytical model, and where depends on the seed.
  unsigned descents = 4;
  /// Generations after the first that the learned model scores.
  unsigned learnedGenerations = 1;
  /// Probability that a child is mutated; otherwise it equals its parent.
  double mutationProbability = 0.85;
  /// Share of the best measured schedules in a round's population, relative to
  /// `population`.
  double measuredShare = 0.1;
  /// Share of a batch that is drawn at random.
  double randomShare = 0.1;
  /// Whether the learned model was trained before the run.
  bool pretrained = false;
  PsaOptions psa;
  FeatureOptions features;
};

/// Statistics of the last round of a search.
struct RoundReport {
  unsigned samples = 0, draftEvaluations = 0, modelEvaluations = 0;
  /// Programs that were summarized for the learned model; 0 for a model that
  /// reads schedules.
  unsigned summaries = 0;
  /// Why the model could not score.
  std::string modelError;
};

class TaskSearch {
public:
  TaskSearch(const ScheduleSpace &space, CostModel *model,
             SearchOptions options);
  virtual ~TaskSearch() = default;

  /// While an object of this type exists, searches called from its thread use
  /// no other threads.
  struct SingleThreaded {
    SingleThreaded();
    ~SingleThreaded();
  };

  /// Returns at most `count` schedules that were neither proposed, excluded nor
  /// observed before, best first; fewer, or none, when the space is exhausted.
  std::vector<Trial> propose(unsigned count);

  /// Never proposes these schedules, which the caller adds itself.
  void exclude(llvm::ArrayRef<Schedule> schedules);

  /// Adds measurements, also of schedules that the search did not propose.
  void observe(llvm::ArrayRef<Trial> measured);

  /// Restores the state after `rounds` calls of propose(). `measured` are the
  /// trials of all their candidates, in order.
  void resume(unsigned rounds, llvm::ArrayRef<Trial> measured);

  /// Returns a candidate for a given schedule, with the predictions of the
  /// models.
  Trial judge(const Schedule &schedule);

  /// Sets the share of each batch that the analytical model orders, initially
  /// 0. Used if the model is pretrained (Trust.h).
  void setDraftShare(double share) { draftShare = share; }

  unsigned rounds() const { return round; }
  const std::vector<Trial> &observed() const { return trials; }
  /// The fastest trial, or null.
  const Trial *best() const;
  const RoundReport &lastRound() const { return report; }

protected:
  /// Purposes of the random numbers of a round.
  enum Purpose : unsigned { Sampling, Drafting, Verifying, Picking, Sharing };

  /// Returns the candidates of this round, best first. May return more than
  /// `count` and schedules that were proposed before.
  virtual std::vector<Trial> proposeRound(unsigned count) = 0;

  /// Returns a random generator for one purpose in one round.
  Random generator(Purpose purpose, unsigned ofRound) const;
  bool isKnown(const Schedule &schedule) const {
    return known.count(scheduleKey(schedule));
  }
  /// Up to `count` distinct random schedules.
  std::vector<Schedule> samples(unsigned count, Random &random);
  /// Returns the fastest trials, at most `count`. The pointers are valid
  /// until the next call of observe().
  std::vector<const Trial *> fastest(unsigned count) const;
  std::vector<Schedule> bestMeasured(unsigned count) const;
  /// Appends the fastest measured schedules, `measuredShare` of a population.
  void addMeasured(std::vector<Schedule> &pool) const;
  /// Evolves `start` under the analytical model, improves the best and the
  /// default schedule by descent, and returns the best `keep` of all, best
  /// first.
  std::vector<Schedule> evolveDrafts(std::vector<Schedule> start, unsigned keep,
                                     Random &random);
  /// Evolves `start` under the learned model and returns enough of the best for
  /// `count` new candidates.
  Evolved evolveLearned(std::vector<Schedule> start, unsigned count);
  /// Returns a candidate with the prediction of the analytical model.
  Trial drafted(const Schedule &schedule, bool random = false);
  double draftSeconds(const Schedule &schedule);
  std::vector<float> draftScores(SchedulePointers schedules);
  /// Sets the scores of candidates that have none.
  void scoreUnscored(std::vector<Trial> &candidates);
  /// Scores of the learned model; all zero without one.
  std::vector<float> modelScores(SchedulePointers schedules);
  /// Returns the best of `ranked` that are not known, with `randomShare` of
  /// `count` drawn from `randoms`: those that the model is least certain of, or
  /// the first if it has no certainty. If one list has too few, the other fills
  /// the rest.
  std::vector<Trial> mix(const std::vector<Schedule> &ranked,
                         const std::vector<float> &scores,
                         std::vector<Schedule> randoms, unsigned count);

  const ScheduleSpace &space;
  CostModel *model;
  SearchOptions options;
  unsigned round = 0;
  double draftShare = 0;
  RoundReport report;

private:
  std::vector<ProgramFeatures> featuresOf(SchedulePointers schedules);
  /// Sorts schedules by the spread of the model, if it has one.
  std::vector<Schedule> leastCertainFirst(std::vector<Schedule> schedules);

  ScheduleFeatures features;
  DraftModel draftModel;
  std::vector<Trial> trials; ///< The measured ones.
  std::set<std::string> known;
};

} // namespace pruner

#endif // PRUNER_SEARCH_SEARCH_H
