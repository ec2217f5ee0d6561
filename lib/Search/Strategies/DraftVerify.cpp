//===- DraftVerify.cpp - draft, then order by the learned model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DraftVerify.h"

using namespace pruner;

/// The number of measured schedules that have children without a learned model.
static constexpr unsigned kParents = 4;

namespace {
class DraftVerifySearch : public TaskSearch {
public:
  DraftVerifySearch(const ScheduleSpace &space, CostModel *model,
                    const SearchOptions &options, const DraftVerify &strategy)
      : TaskSearch(space, model, options), strategy(strategy) {}

protected:
  std::vector<Trial> proposeRound(unsigned count) override {
    if (!model)
      return proposeUnlearned(count);
    std::vector<Schedule> pool = drafts();
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> fresh = samples(options.population, sampling);
    pool.insert(pool.end(), fresh.begin(), fresh.end());
    addMeasured(pool);
    if (pool.empty())
      return {};
    std::vector<Schedule> randoms = pick(pool, 3 * count);
    Evolved chosen = evolveLearned(std::move(pool), count);
    double share =
        options.pretrained ? draftShare : ofDrafts(strategy.trustAfter);
    if (share > 0)
      shareWithDrafts(chosen, count, share);
    return mix(chosen.schedules, chosen.scores, randoms, count);
  }

private:
  /// Proposes drafts, and a growing share of children of measured schedules.
  std::vector<Trial> proposeUnlearned(unsigned count) {
    Evolved chosen = children();
    shareWithDrafts(chosen, count, ofDrafts(strategy.childrenAfter));
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> randoms = samples(3 * count, sampling);
    std::vector<Trial> candidates =
        mix(chosen.schedules, chosen.scores, randoms, count);
    if (candidates.size() == count)
      return candidates;
    // The space is almost exhausted.
    randoms = samples(options.population, sampling);
    return mix(chosen.schedules, chosen.scores, randoms, count);
  }

  /// Returns mutations of the fastest measured schedules, best first. They are
  /// ordered by the analytical model's prediction times its error for their
  /// parents, because a child is similar to its parent.
  Evolved children() {
    Random mutating = generator(Verifying, round);
    std::vector<Schedule> mutated;
    std::vector<double> corrections;
    for (const Trial *parent : fastest(kParents)) {
      double correction = *parent->seconds / draftSeconds(parent->schedule);
      for (unsigned n = 0; n < options.draftSize / kParents; ++n)
        if (auto child = space.mutate(parent->schedule, mutating);
            child && !isKnown(*child)) {
          mutated.push_back(std::move(*child));
          corrections.push_back(correction);
        }
    }
    std::vector<const Schedule *> pointers;
    for (const Schedule &child : mutated)
      pointers.push_back(&child);
    std::vector<std::pair<double, size_t>> order;
    for (auto [n, score] : llvm::enumerate(draftScores(pointers)))
      order.push_back({-score / corrections[n], n});
    llvm::stable_sort(order);
    Evolved result;
    for (auto [_, n] : order) {
      result.schedules.push_back(mutated[n]);
      result.scores.push_back(0);
    }
    return result;
  }

  /// Returns \p after / (after + measured), which is 1 before the first
  /// measurement.
  double ofDrafts(unsigned after) const {
    size_t measured = llvm::count_if(
        observed(), [](const Trial &each) { return each.seconds.has_value(); });
    return double(after) / double(after + measured);
  }

  /// Interleaves the drafts with the other candidates, in proportion to the
  /// share of the analytical model. The position of the first draft varies from
  /// round to round, so that small batches get both kinds.
  void shareWithDrafts(Evolved &chosen, unsigned count, double share) {
    std::vector<const Schedule *> unknown;
    for (const Schedule &draft : drafts())
      if (unknown.size() < count && !isKnown(draft))
        unknown.push_back(&draft);
    std::vector<float> scores = modelScores(unknown);
    if (model)
      report.modelEvaluations += unknown.size();
    Evolved shared;
    auto take = [&](const Schedule &schedule, float score) {
      shared.schedules.push_back(schedule);
      shared.scores.push_back(score);
    };
    Random sharing = generator(Sharing, round);
    double due = sharing.uniformReal();
    size_t draft = 0, other = 0, others = chosen.schedules.size();
    while (draft < unknown.size() || other < others) {
      // Skip measured schedules, which are among the best.
      if (other < others && isKnown(chosen.schedules[other])) {
        ++other;
        continue;
      }
      due += share;
      if (draft < unknown.size() && (due >= 1 || other == others)) {
        take(*unknown[draft], scores[draft]);
        ++draft;
        due -= 1;
      } else if (other < others) {
        take(chosen.schedules[other], chosen.scores[other]);
        ++other;
      }
    }
    chosen = std::move(shared);
  }

  /// Returns `count` schedules of the pool at random, perhaps repeated.
  std::vector<Schedule> pick(const std::vector<Schedule> &pool,
                             unsigned count) {
    Random picking = generator(Picking, round);
    std::vector<Schedule> picked;
    for (unsigned i = 0; i < count; ++i)
      picked.push_back(pool[picking.uniform(pool.size())]);
    return picked;
  }

  /// Returns the drafts of this round's period. They depend only on the seed
  /// and not on measurements, so a resumed run finds the same.
  const std::vector<Schedule> &drafts() {
    unsigned period = round / std::max(1u, strategy.redraftPeriod);
    if (period == draftedPeriod)
      return cached;
    Random random = generator(Drafting, period * strategy.redraftPeriod);
    cached = evolveDrafts(samples(options.population, random),
                          options.draftSize, random);
    draftedPeriod = period;
    return cached;
  }

  const DraftVerify strategy;
  unsigned draftedPeriod = ~0u;
  std::vector<Schedule> cached;
};
} // namespace

std::unique_ptr<TaskSearch>
DraftVerify::createSearch(const ScheduleSpace &space, CostModel *model,
                          const SearchOptions &options) const {
  return std::make_unique<DraftVerifySearch>(space, model, options, *this);
}

const SearchStrategy &strategies::draftVerify() {
  static const DraftVerify strategy;
  return strategy;
}
