//===- LearnedSearch.cpp - draft-verify and learned-all -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two strategies that ask a learned model. Both evolve a population under
// it and pick the best; they differ in where the population comes from.
//
// "draft-verify" is algorithms 1 and 2 of Pruner (ASPLOS 2025): random
// schedules evolve under the draft model, the best are kept as drafts, and only
// drafts, a round's random schedules and the best measured ones meet the
// learned model. "learned-all" is the loop of Ansor (OSDI 2020, section 5), in
// which the learned model scores every schedule of every generation: the
// baseline that drafting is compared with, on the same space and with the same
// mutations.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"

using namespace pruner;
using namespace pruner::detail;

namespace {

class LearnedSearch : public SearchStrategy {
public:
  LearnedSearch(const ScheduleSpace &space, CostModel *model,
                const SearchOptions &options, bool drafting)
      : SearchStrategy(space, model, options), drafting(drafting) {}
  llvm::StringRef name() const override {
    return drafting ? "draft-verify" : "learned-all";
  }
  /// Ansor's first batch is random: what the draft model takes for the fastest
  /// is no part of it.
  bool measuresDefault() const override { return drafting; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    std::vector<Schedule> pool;
    if (drafting)
      pool = drafts();
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> fresh = samples(options.population, sampling);
    pool.insert(pool.end(), fresh.begin(), fresh.end());
    std::vector<Schedule> measured =
        bestMeasured(unsigned(options.measuredShare * options.population));
    pool.insert(pool.end(), measured.begin(), measured.end());
    if (pool.empty())
      return {};
    std::vector<Schedule> randoms = randomShare(pool, 3 * count);

    EvolutionOptions evolution;
    evolution.population = options.population;
    evolution.generations = options.learnedGenerations;
    evolution.mutationProbability = options.mutationProbability;
    // Measured ones are among the best: enough must remain without them.
    evolution.keep = 2 * count + unsigned(observed().size());
    Random verifying = generator(Verifying, round);
    Evolved verified = evolve(
        space, std::move(pool),
        [&](SchedulePointers schedules) { return modelScores(schedules); },
        evolution, verifying);
    if (model)
      report.modelEvaluations += verified.evaluations;
    if (drafting && options.trustAfter > 0)
      shareWithDrafts(verified, count);
    return mix(verified.schedules, verified.scores, randoms, count);
  }

private:
  /// Puts the draft model's choice between the learned model's, as far as that
  /// is not to be trusted yet.
  void shareWithDrafts(Evolved &verified, unsigned count) {
    size_t learned = llvm::count_if(observed(), [](const Observation &each) {
      return each.seconds.has_value();
    });
    // Drafts for each schedule of the learned model; all before anything is
    // measured.
    double ratio = double(options.trustAfter) / double(learned);
    std::vector<const Schedule *> unknown;
    for (const Schedule &draft : drafts())
      if (unknown.size() < count && !isKnown(draft))
        unknown.push_back(&draft);
    std::vector<float> scores = modelScores(unknown);
    if (model)
      report.modelEvaluations += unknown.size();
    Evolved shared;
    size_t next = 0;
    double due = 0;
    for (size_t i = 0; i < verified.schedules.size(); ++i) {
      // Measured ones are among the best, and are no choice.
      if (isKnown(verified.schedules[i]))
        continue;
      for (due += ratio; due >= 1 && next < unknown.size(); --due, ++next) {
        shared.schedules.push_back(*unknown[next]);
        shared.scores.push_back(scores[next]);
      }
      shared.schedules.push_back(verified.schedules[i]);
      shared.scores.push_back(verified.scores[i]);
    }
    verified = std::move(shared);
  }

  /// Where a batch's random candidates come from: drawn from all of the
  /// population if that has drafts, otherwise its first, which are random.
  std::vector<Schedule> randomShare(const std::vector<Schedule> &pool,
                                    unsigned count) {
    if (!drafting)
      return {pool.begin(),
              pool.begin() + std::min<size_t>(pool.size(), count)};
    Random picking = generator(Picking, round);
    std::vector<Schedule> randoms;
    for (unsigned i = 0; i < count; ++i)
      randoms.push_back(pool[picking.uniform(pool.size())]);
    return randoms;
  }

  /// The drafts of this round's period. They depend on the seed alone, not on
  /// anything measured, so that a resumed run finds the same.
  const std::vector<Schedule> &drafts() {
    unsigned period = round / std::max(1u, options.redraftPeriod);
    if (period == draftedPeriod)
      return cached;
    Random random = generator(Drafting, period * options.redraftPeriod);
    cached = evolveDrafts(samples(options.population, random),
                          options.draftSize, random);
    draftedPeriod = period;
    return cached;
  }

  const bool drafting;
  unsigned draftedPeriod = ~0u;
  std::vector<Schedule> cached;
};

} // namespace

std::unique_ptr<SearchStrategy>
detail::createLearnedSearch(const ScheduleSpace &space, CostModel *model,
                            const SearchOptions &options, bool drafting) {
  return std::make_unique<LearnedSearch>(space, model, options, drafting);
}
