//===- Search.h - strategies that propose what to measure -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy searches the space of one task. It is asked for candidates and
// told what was measured; it neither measures nor trains. All strategies share
// the space, the mutations and the bookkeeping of what was proposed.
//
// Every round draws from a generator that depends on the seed and the number
// of the round alone, and nothing else is kept but what was observed. So the
// same seed, the same observations and the same model give the same candidates,
// whether a run was interrupted in between (`resume`) or not.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_SEARCH_H
#define PRUNER_SEARCH_SEARCH_H

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Search/Evolution.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace pruner {

/// The published constants of Pruner's search (released code; those of Ansor,
/// where they differ, are in `ansor()`).
struct SearchOptions {
  uint64_t seed = 0;
  /// Random schedules per round, and the size of a generation.
  unsigned population = 1536;
  /// Generations after the first that the draft model scores (3 evaluations).
  unsigned draftGenerations = 2;
  /// Drafts that are kept (|S_spec|).
  unsigned draftSize = 512;
  /// Rounds that use the same drafts.
  unsigned redraftPeriod = 2;
  /// Generations after the first that the learned model scores.
  unsigned learnedGenerations = 1;
  /// A child is mutated with this probability, else it is its parent.
  double mutationProbability = 0.85;
  /// The best measured schedules that join a round's population, relative to
  /// `population`.
  double measuredShare = 0.1;
  /// Share of a batch that is drawn at random.
  double randomShare = 0.1;
  /// Measured schedules of a task after which half of a batch is the learned
  /// model's choice and half still the draft model's ("draft-verify"); after n
  /// the model has n / (n + trustAfter). 0: what setDraftShare() says, which a
  /// model that was trained before deserves. Ours; see
  /// docs/design/decisions/0005-trust-in-the-model.md and
  /// 0024-trust-by-disagreements.md.
  unsigned trustAfter = 50;
  /// The same of children of what was measured, where there is no model.
  unsigned childrenAfter = 12;
  PsaOptions psa;
  FeatureOptions features;

  /// Ansor's: population 2048, 4 generations, 0.2 measured, 0.05 random.
  static SearchOptions ansor();
};

/// A schedule that is worth measuring.
struct Candidate {
  Schedule schedule;
  /// What the draft model says.
  double draftSeconds = 0;
  /// What the learned model says (larger is faster); nothing without one.
  std::optional<float> score;
  /// True for one of the random share.
  bool random = false;
};

/// What became of a schedule.
struct Observation {
  Schedule schedule;
  /// The time of one run; nothing where building, running or the result
  /// failed.
  std::optional<double> seconds;
  /// What the models said of it when it was proposed, as far as that is known.
  std::optional<float> score = std::nullopt;
  double draftSeconds = 0;
};

/// What a strategy did in its last round, for progress lines.
struct RoundReport {
  unsigned samples = 0, draftEvaluations = 0, modelEvaluations = 0;
  /// Programs that were made and summarised for the learned model to score;
  /// none for a model that reads schedules.
  unsigned summaries = 0;
  /// Why there was no model score though a model is there.
  std::string modelError;
};

class SearchStrategy {
public:
  SearchStrategy(const ScheduleSpace &space, CostModel *model,
                 SearchOptions options);
  virtual ~SearchStrategy() = default;

  /// While one of these lives, strategies that the thread asks use no other
  /// thread.
  struct Alone {
    Alone();
    ~Alone();
  };

  virtual llvm::StringRef name() const = 0;

  /// Whether the schedule that one would take without a search should be
  /// measured early, too. Not where the order of the candidates is the
  /// strategy's definition.
  virtual bool measuresDefault() const { return true; }

  /// At most `count` schedules that were neither proposed nor observed before,
  /// best first. Fewer, or none, when the space is exhausted.
  std::vector<Candidate> propose(unsigned count);

  /// Takes over what was measured; also of schedules it did not propose.
  void observe(llvm::ArrayRef<Observation> observations);

  /// Puts a new strategy where another one was after `rounds` calls of
  /// propose(), all of whose candidates are in `observations`, in order.
  void resume(unsigned rounds, llvm::ArrayRef<Observation> observations);

  /// A candidate from elsewhere with what the models say of it.
  Candidate judge(const Schedule &schedule);

  /// The share of the draft model's choice in the batches to come, 0 at first;
  /// where `trustAfter` is 0 (Trust.h).
  void setDraftShare(double share) { draftShare = share; }

  unsigned rounds() const { return round; }
  const std::vector<Observation> &observed() const { return observations; }
  /// The fastest observation, or null.
  const Observation *best() const;
  const RoundReport &lastRound() const { return report; }

protected:
  /// The candidates of this round in order of preference; more than `count`
  /// and already proposed ones may be among them.
  virtual std::vector<Candidate> proposeRound(unsigned count) = 0;

  /// Independent numbers for one purpose in one round.
  Random generator(unsigned purpose, unsigned ofRound) const;
  bool isKnown(const Schedule &schedule) const {
    return known.count(scheduleKey(schedule));
  }
  /// Up to `count` distinct random schedules.
  std::vector<Schedule> samples(unsigned count, Random &random);
  /// The fastest observations, at most `count`, until the next one.
  std::vector<const Observation *> fastest(unsigned count) const;
  std::vector<Schedule> bestMeasured(unsigned count) const;
  /// What evolves from `start` under the draft model: the best `keep`.
  std::vector<Schedule> evolveDrafts(std::vector<Schedule> start, unsigned keep,
                                     Random &random);
  double draftSeconds(const Schedule &schedule);
  std::vector<float> draftScores(SchedulePointers schedules);
  /// Gives the model's scores to those that have none.
  void scoreUnscored(std::vector<Candidate> &candidates);
  /// Scores of the learned model; all zero without one.
  std::vector<float> modelScores(SchedulePointers schedules);
  /// Best of `ranked` that are not known, with `randomShare` of `count` drawn
  /// from `randoms`; each list stands in for the other when it runs out.
  std::vector<Candidate> mix(const std::vector<Schedule> &ranked,
                             const std::vector<float> &scores,
                             const std::vector<Schedule> &randoms,
                             unsigned count);

  const ScheduleSpace &space;
  CostModel *model;
  SearchOptions options;
  unsigned round = 0;
  double draftShare = 0;
  RoundReport report;

private:
  ScheduleFeatures features;
  DraftModel draftModel;
  std::vector<Observation> observations;
  std::set<std::string> known;
};

/// "draft-verify" (Pruner: drafts by PSA, then the model), "learned-all"
/// (Ansor's loop: the model scores every candidate), "draft-only", "random",
/// "exhaustive", "survey" (for datasets: half random, a quarter drafts, a
/// quarter children of the fastest). Null for any other name. `model` may be
/// null; `space` and `model` must outlive the strategy.
std::unique_ptr<SearchStrategy>
createSearchStrategy(llvm::StringRef name, const ScheduleSpace &space,
                     CostModel *model, const SearchOptions &options = {});

/// The names that createSearchStrategy knows.
llvm::ArrayRef<llvm::StringLiteral> searchStrategyNames();

} // namespace pruner

#endif // PRUNER_SEARCH_SEARCH_H
