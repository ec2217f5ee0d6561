//===- LearnedSearch.cpp - draft-verify and learned-all -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two strategies with a learned model. Both evolve a population under it
// and pick the best schedules. They differ in the source of the population.
//
// "draft-verify" is algorithms 1 and 2 of Pruner (ASPLOS 2025). Random
// schedules evolve under the analytical model, and the best are kept as drafts.
// The learned model scores only drafts, the random schedules of the round and
// the best measured schedules. Without a learned model, children of the fastest
// measured schedules take the place of its choice.
//
// "learned-all" is the loop of Ansor (OSDI 2020, section 5): the learned model
// scores every schedule of every generation. It is the baseline for drafting,
// with the same space and the same mutations.

#include "Strategies.h"

using namespace pruner;
using namespace pruner::detail;

namespace {

/// The number of measured schedules that have children without a learned model.
constexpr unsigned kParents = 4;

class LearnedSearch : public SearchStrategy {
public:
  LearnedSearch(const ScheduleSpace &space, CostModel *model,
                const SearchOptions &options, bool drafting)
      : SearchStrategy(space, model, options), drafting(drafting) {}
  llvm::StringRef name() const override {
    return drafting ? "draft-verify" : "learned-all";
  }
  /// Ansor's first batch is random and does not depend on the analytical model.
  bool measuresDefault() const override { return drafting; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    if (drafting && !model)
      return proposeUnlearned(count);
    std::vector<Schedule> pool;
    if (drafting)
      pool = drafts();
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> fresh = samples(options.population, sampling);
    pool.insert(pool.end(), fresh.begin(), fresh.end());
    std::vector<Schedule> measured =
        bestMeasured(unsigned(options.measuredShare * options.population));
    pool.insert(pool.end(), measured.begin(), measured.end());
    if (pool.empty())
      return {};
    std::vector<Schedule> randoms = randomShare(pool, 3 * count);

    EvolutionOptions evolution;
    evolution.population = options.population;
    evolution.generations = options.learnedGenerations;
    evolution.mutationProbability = options.mutationProbability;
    // Keep enough, because the best include measured schedules.
    evolution.keep = 2 * count + unsigned(observed().size());
    Random verifying = generator(Verifying, round);
    Evolved verified = evolve(
        space, std::move(pool),
        [&](SchedulePointers schedules) { return modelScores(schedules); },
        evolution, verifying);
    if (model)
      report.modelEvaluations += verified.evaluations;
    double share =
        options.trustAfter > 0 ? ofDrafts(options.trustAfter) : draftShare;
    if (drafting && share > 0)
      shareWithDrafts(verified, count, share);
    return mix(verified.schedules, verified.scores, randoms, count);
  }

private:
  /// Proposes drafts, and a growing share of children of measured schedules.
  std::vector<Candidate> proposeUnlearned(unsigned count) {
    Evolved chosen = children();
    shareWithDrafts(chosen, count, ofDrafts(options.childrenAfter));
    Random sampling = generator(Sampling, round);
    std::vector<Schedule> randoms = samples(3 * count, sampling);
    std::vector<Candidate> candidates =
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
    for (const Observation *parent : fastest(kParents)) {
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
    size_t measured = llvm::count_if(observed(), [](const Observation &each) {
      return each.seconds.has_value();
    });
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

  /// Returns the schedules from which a batch's random candidates are drawn:
  /// the whole population if it has drafts, otherwise its first part, which is
  /// random.
  std::vector<Schedule> randomShare(const std::vector<Schedule> &pool,
                                    unsigned count) {
    if (!drafting)
      return {pool.begin(),
              pool.begin() + std::min<size_t>(pool.size(), count)};
    Random picking = generator(Picking, round);
    std::vector<Schedule> randoms;
    for (unsigned i = 0; i < count; ++i)
      randoms.push_back(pool[picking.uniform(pool.size())]);
    return randoms;
  }

  /// Returns the drafts of this round's period. They depend only on the seed
  /// and not on measurements, so a resumed run finds the same.
  const std::vector<Schedule> &drafts() {
    unsigned period = round / std::max(1u, options.redraftPeriod);
    if (period == draftedPeriod)
      return cached;
    Random random = generator(Drafting, period * options.redraftPeriod);
    cached = evolveDrafts(samples(options.population, random),
                          options.draftSize, random);
    draftedPeriod = period;
    return cached;
  }

  const bool drafting;
  unsigned draftedPeriod = ~0u;
  std::vector<Schedule> cached;
};

} // namespace

std::unique_ptr<SearchStrategy>
detail::createLearnedSearch(const ScheduleSpace &space, CostModel *model,
                            const SearchOptions &options, bool drafting) {
  return std::make_unique<LearnedSearch>(space, model, options, drafting);
}
