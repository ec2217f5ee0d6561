//===- Survey.cpp - schedules that data is collected of -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Datasets for models need both what is common and what is good: a model that
// has only seen the good ones cannot tell why others are bad, and one that has
// only seen random ones not which of two good ones is better. Half of a round
// is random. Of the rest one half evolves under the analytical model, which is
// what a model will be asked about, and the other half descends from the
// fastest that were measured. Both are drawn by lot instead of best first, so
// that they spread over what a search meets.
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"

using namespace pruner;
using namespace pruner::detail;

/// A child takes another step away from its parent with this probability.
static constexpr double kAnotherStep = 0.5;
/// Draws for each schedule that is wanted, where most are known already.
static constexpr unsigned kDraws = 20;

namespace {
class Survey : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "survey"; }
  bool measuresDefault() const override { return false; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
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
      result.push_back(
          {schedule, draftSeconds(schedule), std::nullopt, random});
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
  std::vector<Candidate> result;
};
} // namespace

std::unique_ptr<SearchStrategy>
detail::createSurvey(const ScheduleSpace &space, const SearchOptions &options) {
  return std::make_unique<Survey>(space, nullptr, options);
}
