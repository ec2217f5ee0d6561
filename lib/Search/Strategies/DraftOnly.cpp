//===- DraftOnly.cpp - the best by the analytical model -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Strategy.h"

using namespace pruner;

namespace {
/// Proposes the best schedules by the analytical model. Later rounds start from
/// other random schedules and from the best measured ones.
class DraftOnlySearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    Random random = generator(Drafting, round);
    std::vector<Schedule> pool = samples(options.population, random);
    addMeasured(pool);
    std::vector<Schedule> drafts =
        evolveDrafts(std::move(pool),
                     options.draftSize + unsigned(observed().size()), random);
    std::vector<Trial> result;
    for (const Schedule &schedule : drafts)
      if (result.size() < count && !isKnown(schedule))
        result.push_back(drafted(schedule));
    return result;
  }
};

class DraftOnly : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "draft-only"; }
  llvm::StringRef summary() const override {
    return "evolution under the analytical model, from random schedules and "
           "the fastest measured ones";
  }
  bool measuresKnown() const override { return true; }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *,
               const SearchOptions &options) const override {
    return std::make_unique<DraftOnlySearch>(space, nullptr, options);
  }
};
} // namespace

const SearchStrategy &strategies::draftOnly() {
  static const DraftOnly strategy;
  return strategy;
}
