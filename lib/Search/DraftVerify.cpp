//===- DraftVerify.cpp - Pruner's strategy --------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Algorithms 1 and 2 of Pruner (ASPLOS 2025): random schedules evolve under the
// draft model, the best are kept as drafts, and only drafts, a round's random
// schedules and the best measured ones meet the learned model.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"

#include "pruner/Search/Evolution.h"

using namespace pruner;
using namespace pruner::detail;

namespace {

class DraftVerify : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "draft-verify"; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    std::vector<Schedule> pool = drafts();
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> fresh = samples(options.population, sampling);
    pool.insert(pool.end(), fresh.begin(), fresh.end());
    std::vector<Schedule> measured =
        bestMeasured(unsigned(options.measuredShare * options.population));
    pool.insert(pool.end(), measured.begin(), measured.end());
    if (pool.empty())
      return {};

    Random picking = generator(Picking, round);
    std::vector<Schedule> randoms;
    for (unsigned i = 0; i < 3 * count; ++i)
      randoms.push_back(pool[picking.uniform(pool.size())]);

    EvolutionOptions evolution;
    evolution.population = options.population;
    evolution.generations = options.learnedGenerations;
    evolution.mutationProbability = options.mutationProbability;
    // Measured ones are among the best: enough must remain without them.
    evolution.keep = 2 * count + unsigned(observed().size());
    Random verifying = generator(Verifying, round);
    Evolved verified = evolve(
        space, std::move(pool),
        [&](const std::vector<Schedule> &schedules) {
          return modelScores(schedules);
        },
        evolution, verifying);
    return mix(verified.schedules, verified.scores, randoms, count);
  }

private:
  /// The drafts of this round's period. They depend on the seed alone, not on
  /// anything measured, so that a resumed run finds the same.
  const std::vector<Schedule> &drafts() {
    unsigned period = round / std::max(1u, options.redraftPeriod);
    if (period == draftedPeriod)
      return cached;
    Random random = generator(Drafting, period * options.redraftPeriod);
    EvolutionOptions evolution;
    evolution.population = options.population;
    evolution.generations = options.draftGenerations;
    evolution.mutationProbability = options.mutationProbability;
    evolution.keep = options.draftSize;
    cached = evolve(
                 space, samples(options.population, random),
                 [&](const std::vector<Schedule> &schedules) {
                   return draftScores(schedules);
                 },
                 evolution, random)
                 .schedules;
    draftedPeriod = period;
    return cached;
  }

  unsigned draftedPeriod = ~0u;
  std::vector<Schedule> cached;
};

} // namespace

std::unique_ptr<SearchStrategy>
detail::createDraftVerify(const ScheduleSpace &space, CostModel *model,
                          const SearchOptions &options) {
  return std::make_unique<DraftVerify>(space, model, options);
}
