//===- RandomSearch.cpp - legal schedules at random -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Strategy.h"

using namespace pruner;

namespace {
class RandomTaskSearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    Random random = generator(Sampling, round);
    std::vector<Trial> result;
    // Draw several times as many, for spaces that are almost exhausted.
    for (unsigned draw = 0; draw < 100 * count && result.size() < count;
         ++draw) {
      std::optional<Schedule> schedule = space.sample(random);
      if (!schedule)
        break;
      bool repeated = isKnown(*schedule);
      for (const Trial &candidate : result)
        repeated |= candidate.schedule == *schedule;
      if (repeated)
        continue;
      result.push_back(drafted(*schedule, /*random=*/true));
      // No model scores them, but records of this strategy have a score.
      result.back().score = 0;
    }
    return result;
  }
};

class RandomSearch : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "random"; }
  llvm::StringRef summary() const override {
    return "legal schedules at random";
  }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *,
               const SearchOptions &options) const override {
    return std::make_unique<RandomTaskSearch>(space, nullptr, options);
  }
};
} // namespace

const SearchStrategy &strategies::randomSearch() {
  static const RandomSearch strategy;
  return strategy;
}
