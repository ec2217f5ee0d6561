//===- SimpleStrategies.cpp - draft-only, random, exhaustive --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strategies.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

namespace {

/// Proposes the best schedules by the analytical model. Later rounds start from
/// other random schedules and from the best measured ones.
class DraftOnly : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "draft-only"; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    Random random = generator(Drafting, round);
    std::vector<Schedule> pool = samples(options.population, random);
    std::vector<Schedule> measured =
        bestMeasured(unsigned(options.measuredShare * options.population));
    pool.insert(pool.end(), measured.begin(), measured.end());
    std::vector<Schedule> drafted =
        evolveDrafts(std::move(pool),
                     options.draftSize + unsigned(observed().size()), random);
    std::vector<Candidate> result;
    for (const Schedule &schedule : drafted)
      if (result.size() < count && !isKnown(schedule))
        result.push_back(
            {schedule, draftSeconds(schedule), std::nullopt, false});
    return result;
  }
};

class RandomSearch : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "random"; }
  bool measuresDefault() const override { return false; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    Random random = generator(Sampling, round);
    std::vector<Candidate> result;
    // Draw several times as many, for spaces that are almost exhausted.
    for (unsigned draw = 0; draw < 100 * count && result.size() < count;
         ++draw) {
      std::optional<Schedule> schedule = space.sample(random);
      if (!schedule)
        break;
      bool repeated = isKnown(*schedule);
      for (const Candidate &candidate : result)
        repeated |= candidate.schedule == *schedule;
      if (!repeated)
        result.push_back({*schedule, draftSeconds(*schedule), 0, true});
    }
    return result;
  }
};

/// Proposes every legal schedule in order of its number.
class Exhaustive : public SearchStrategy {
public:
  using SearchStrategy::SearchStrategy;
  llvm::StringRef name() const override { return "exhaustive"; }
  bool measuresDefault() const override { return false; }

protected:
  std::vector<Candidate> proposeRound(unsigned count) override {
    std::vector<Candidate> result;
    double size = space.size();
    // Larger spaces cannot be numbered, and would take too long.
    if (size >= std::ldexp(1.0, 63))
      return result;
    for (; next < uint64_t(size) && result.size() < count; ++next) {
      std::optional<Schedule> schedule = space.at(next);
      if (schedule && !isKnown(*schedule))
        result.push_back({*schedule, draftSeconds(*schedule), 0, false});
    }
    return result;
  }

private:
  /// All numbers below are known or illegal. A resumed run starts at 0 and
  /// skips known schedules.
  uint64_t next = 0;
};

} // namespace

std::unique_ptr<SearchStrategy>
detail::createDraftOnly(const ScheduleSpace &space,
                        const SearchOptions &options) {
  return std::make_unique<DraftOnly>(space, nullptr, options);
}

std::unique_ptr<SearchStrategy>
detail::createRandomSearch(const ScheduleSpace &space,
                           const SearchOptions &options) {
  return std::make_unique<RandomSearch>(space, nullptr, options);
}

std::unique_ptr<SearchStrategy>
detail::createExhaustive(const ScheduleSpace &space,
                         const SearchOptions &options) {
  return std::make_unique<Exhaustive>(space, nullptr, options);
}
