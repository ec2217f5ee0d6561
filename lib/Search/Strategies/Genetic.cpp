//===- Genetic.cpp - a genetic algorithm on measured times ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first batch is random. Later batches are children of the fastest measured
// schedules: tournaments choose two parents, and the child of their crossover
// is mutated. No model predicts anything, so the difference to other strategies
// shows what their models are worth.

#include "pruner/Search/Strategy.h"

#include <algorithm>

using namespace pruner;

/// Measured schedules that may become parents.
static constexpr unsigned kParents = 32;
/// Draws per wanted schedule when most are known already.
static constexpr unsigned kDraws = 20;

namespace {
class GeneticSearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    Random random = generator(Picking, round);
    std::vector<Schedule> parents = bestMeasured(kParents), children;
    std::set<std::string> taken;
    for (unsigned draw = 0;
         !parents.empty() && draw < kDraws * count && children.size() < count;
         ++draw)
      if (std::optional<Schedule> child = breed(parents, random);
          child && !isKnown(*child) && taken.insert(scheduleKey(*child)).second)
        children.push_back(*child);
    Random sampling = generator(Sampling, round);
    // Only a model gives scores.
    return mix(children, /*scores=*/{}, samples(2 * count, sampling), count);
  }

private:
  /// Parents are sorted by time, so the smaller index wins a tournament.
  const Schedule &choose(const std::vector<Schedule> &parents,
                         Random &random) const {
    uint64_t first = random.uniform(parents.size());
    return parents[std::min(first, random.uniform(parents.size()))];
  }

  std::optional<Schedule> breed(const std::vector<Schedule> &parents,
                                Random &random) const {
    std::optional<Schedule> child = space.crossover(
        choose(parents, random), choose(parents, random), random);
    if (child && random.uniformReal() < options.mutationProbability)
      child = space.mutate(*child, random);
    return child;
  }
};

class Genetic : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "genetic"; }
  llvm::StringRef summary() const override {
    return "children of the fastest measured schedules, without any model";
  }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *,
               const SearchOptions &options) const override {
    return std::make_unique<GeneticSearch>(space, nullptr, options);
  }
};
} // namespace

const SearchStrategy &strategies::genetic() {
  static const Genetic strategy;
  return strategy;
}
