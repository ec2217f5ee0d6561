//===- LearnedAll.cpp - Ansor's strategy ----------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop of Ansor (OSDI 2020, section 5): the learned model scores every
// schedule of every generation. The baseline that drafting is compared with,
// on the same space and with the same mutations.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"

#include "pruner/Search/Evolution.h"

using namespace pruner;
using namespace pruner::detail;

namespace {

class LearnedAll : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "learned-all"; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> pool = samples(options.population, sampling);
    std::vector<Schedule> randoms(
        pool.begin(), pool.begin() + std::min<size_t>(pool.size(), 3 * count));
    std::vector<Schedule> measured =
        bestMeasured(unsigned(options.measuredShare * options.population));
    pool.insert(pool.end(), measured.begin(), measured.end());
    if (pool.empty())
      return {};
    EvolutionOptions evolution;
    evolution.population = options.population;
    evolution.generations = options.learnedGenerations;
    evolution.mutationProbability = options.mutationProbability;
    evolution.keep = 2 * count + unsigned(observed().size());
    Random verifying = generator(Verifying, round);
    Evolved evolved = evolve(
        space, std::move(pool),
        [&](const std::vector<Schedule> &schedules) {
          return modelScores(schedules);
        },
        evolution, verifying);
    return mix(evolved.schedules, evolved.scores, randoms, count);
  }
};

} // namespace

std::unique_ptr<SearchStrategy>
detail::createLearnedAll(const ScheduleSpace &space, CostModel *model,
                         const SearchOptions &options) {
  return std::make_unique<LearnedAll>(space, model, options);
}
