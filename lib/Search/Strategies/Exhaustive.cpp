//===- Exhaustive.cpp - all legal schedules in order ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Strategy.h"

#include <cmath>

using namespace pruner;

namespace {
/// Proposes every legal schedule in order of its number.
class ExhaustiveSearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    std::vector<Trial> result;
    double size = space.size();
    // Larger spaces cannot be numbered, and would take too long.
    if (size >= std::ldexp(1.0, 63))
      return result;
    for (; next < uint64_t(size) && result.size() < count; ++next) {
      std::optional<Schedule> schedule = space.at(next);
      if (!schedule || isKnown(*schedule))
        continue;
      result.push_back(drafted(*schedule));
      // No model scores them, but records of this strategy have a score.
      result.back().score = 0;
    }
    return result;
  }

private:
  /// All numbers below are known or illegal. A resumed run starts at 0 and
  /// skips known schedules.
  uint64_t next = 0;
};

class Exhaustive : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "exhaustive"; }
  llvm::StringRef summary() const override {
    return "all legal schedules in order; for tiny spaces";
  }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *,
               const SearchOptions &options) const override {
    return std::make_unique<ExhaustiveSearch>(space, nullptr, options);
  }
};
} // namespace

const SearchStrategy &strategies::exhaustive() {
  static const Exhaustive strategy;
  return strategy;
}
