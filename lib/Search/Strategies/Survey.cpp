//===- Survey.cpp - schedules for datasets --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dataset needs both common and good schedules. A model trained only on good
// ones has no information on why others are bad, and a model trained only on
// random ones cannot order two good ones. Half of a round is random. A quarter
// evolves under the analytical model, because a model will have to rank such
// schedules. A quarter descends from the fastest measured schedules. The last
// two are drawn at random instead of best first, so that they cover what a
// search meets.

#include "pruner/Search/Strategy.h"

using namespace pruner;

/// Probability that a child is mutated once more.
static constexpr double kAnotherStep = 0.5;
/// Draws per wanted schedule when most are known already.
static constexpr unsigned kDraws = 20;

namespace {
class SurveySearch : public TaskSearch {
public:
  using TaskSearch::TaskSearch;

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    taken.clear();
    result.clear();
    Random picking = generator(Picking, round);
    std::vector<Schedule> parents =
        bestMeasured(std::max<unsigned>(1, observed().size() / 4));
    unsigned bred = parents.empty() ? 0 : count / 4;
    for (unsigned draw = 0; draw < kDraws * bred && result.size() < bred;
         ++draw)
      if (std::optional<Schedule> child = breed(parents, picking))
        take(*child, false);
    std::vector<Schedule> drafts = this->drafts(parents);
    for (unsigned draw = 0;
         draw < kDraws * count && !drafts.empty() && result.size() < count / 2;
         ++draw)
      take(drafts[picking.uniform(drafts.size())], false);
    Random sampling = generator(Sampling, round);
    for (unsigned draw = 0; draw < kDraws * count && result.size() < count;
         ++draw)
      if (std::optional<Schedule> schedule = space.sample(sampling))
        take(*schedule, true);
    return std::move(result);
  }

private:
  void take(const Schedule &schedule, bool random) {
    if (!isKnown(schedule) && taken.insert(scheduleKey(schedule)).second)
      result.push_back(drafted(schedule, random));
  }

  std::optional<Schedule> breed(const std::vector<Schedule> &parents,
                                Random &random) const {
    std::optional<Schedule> child =
        space.mutate(parents[random.uniform(parents.size())], random);
    while (child && random.uniformReal() < kAnotherStep)
      child = space.mutate(*child, random);
    return child;
  }

  std::vector<Schedule> drafts(const std::vector<Schedule> &parents) {
    Random random = generator(Drafting, round);
    std::vector<Schedule> pool = samples(options.population, random);
    pool.insert(pool.end(), parents.begin(), parents.end());
    return evolveDrafts(std::move(pool), options.draftSize, random);
  }

  std::set<std::string> taken; ///< Of this round.
  std::vector<Trial> result;
};

class Survey : public SearchStrategy {
public:
  llvm::StringRef name() const override { return "survey"; }
  llvm::StringRef summary() const override {
    return "half at random, a quarter drafts, a quarter children of the "
           "fastest; for datasets";
  }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *,
               const SearchOptions &options) const override {
    return std::make_unique<SurveySearch>(space, nullptr, options);
  }
};
} // namespace

const SearchStrategy &strategies::survey() {
  static const Survey strategy;
  return strategy;
}
