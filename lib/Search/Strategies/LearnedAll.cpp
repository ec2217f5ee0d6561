//===- LearnedAll.cpp - the loop of Ansor ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop of Ansor (OSDI 2020, section 5): the learned model scores every
// schedule of every generation. It is the baseline for drafting, with the same
// space and the same mutations.

#include "pruner/Search/Strategy.h"

using namespace pruner;

namespace {
class LearnedAllSearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> pool = samples(options.population, sampling);
    addMeasured(pool);
    if (pool.empty())
      return {};
    // The first part of the pool is random.
    std::vector<Schedule> randoms(
        pool.begin(), pool.begin() + std::min<size_t>(pool.size(), 3 * count));
    Evolved chosen = evolveLearned(std::move(pool), count);
    return mix(chosen.schedules, chosen.scores, randoms, count);
  }
};

class LearnedAll : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "learned-all"; }
  llvm::StringRef summary() const override {
    return "evolution under the learned model alone, as in Ansor";
  }
  bool usesModel() const override { return true; }
  bool needsModel() const override { return true; }
  /// The numbers of Ansor.
  SearchOptions defaults() const override {
    SearchOptions options;
    options.population = 2048;
    options.learnedGenerations = 4;
    options.measuredShare = 0.2;
    options.randomShare = 0.05;
    return options;
  }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *model,
               const SearchOptions &options) const override {
    return std::make_unique<LearnedAllSearch>(space, model, options);
  }
};
} // namespace

const SearchStrategy &strategies::learnedAll() {
  static const LearnedAll strategy;
  return strategy;
}
