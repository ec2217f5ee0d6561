//===- StrategyTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strategies/DraftVerify.h"

#include "StrategyFixtures.h"

#include "pruner/Analysis/Legality.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace pruner;
using namespace pruner::test;

static double geometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / double(values.size()));
}

TEST(SearchStrategy, NamesAreKnown) {
  ScheduleSpace space(matmul(32, 32, 32), cpu());
  for (const SearchStrategy *strategy : searchStrategies()) {
    llvm::StringRef name = strategy->name();
    EXPECT_EQ(findSearchStrategy(name), strategy);
    EXPECT_TRUE(strategy->createSearch(space, nullptr, {}));
    EXPECT_TRUE(strategyHelp().contains(("\n'" + name + "': ").str()));
    EXPECT_TRUE(strategy->usesModel() || !strategy->needsModel());
  }
  EXPECT_EQ(findSearchStrategy("annealing"), nullptr);
  EXPECT_EQ(strategyNames(" or ", &SearchStrategy::measuresKnown),
            "'draft-verify' or 'draft-only'");
}

TEST(SearchStrategy, ProposalsAreLegalNewAndDeterministic) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  for (const SearchStrategy *strategy : searchStrategies()) {
    std::unique_ptr<CostModel> m1 = createLinearModel(),
                               m2 = createLinearModel();
    auto a = strategy->createSearch(space, m1.get(), small(11));
    auto b = strategy->createSearch(space, m2.get(), small(11));
    std::set<std::string> proposed;
    for (unsigned round = 0; round < 3; ++round) {
      std::vector<Trial> first = a->propose(10), second = b->propose(10);
      ASSERT_EQ(first.size(), 10u) << strategy->name().str();
      ASSERT_EQ(second.size(), 10u);
      std::vector<Trial> results;
      for (unsigned i = 0; i < 10; ++i) {
        EXPECT_TRUE(first[i].schedule == second[i].schedule)
            << strategy->name().str();
        EXPECT_FALSE(checkSchedule(task, first[i].schedule, cpu()));
        EXPECT_TRUE(proposed.insert(scheduleKey(first[i].schedule)).second);
        EXPECT_GT(first[i].draftSeconds, 0);
        results.push_back(trialOf(first[i].schedule, 1.0 + i));
      }
      a->observe(results);
      b->observe(results);
    }
  }
}

TEST(SearchStrategy, AnotherSeedProposesOtherSchedules) {
  ScheduleSpace space(matmul(127, 96, 130), cpu());
  auto a = createSearch("draft-verify", space, nullptr, small(1));
  auto b = createSearch("draft-verify", space, nullptr, small(2));
  unsigned same = 0;
  std::vector<Trial> first = a->propose(10), second = b->propose(10);
  for (unsigned i = 0; i < 10; ++i)
    same += first[i].schedule == second[i].schedule;
  EXPECT_LT(same, 10u);
}

// With the same number of trials, children of fast schedules reach faster ones
// than random draws, in the geometric mean of several seeds.
TEST(SearchStrategy, GeneticSearchImprovesOnItsParents) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  auto bestOf = [&](const char *strategy, uint64_t seed) {
    auto search = createSearch(strategy, space, nullptr, small(seed));
    for (unsigned round = 0; round < 8; ++round) {
      std::vector<Trial> results;
      for (const Trial &candidate : search->propose(20)) {
        EXPECT_FALSE(candidate.score) << "no model predicts scores";
        results.push_back(
            trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
      }
      EXPECT_EQ(results.size(), 20u);
      search->observe(results);
    }
    return *search->best()->seconds;
  };
  double logarithms = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    auto random = createSearch("random", space, nullptr, small(seed));
    std::vector<Trial> results;
    for (const Trial &candidate : random->propose(160))
      results.push_back(
          trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
    random->observe(results);
    logarithms += std::log(bestOf("genetic", seed) / *random->best()->seconds);
  }
  EXPECT_LT(std::exp(logarithms / 8), 0.97);
}

// Half of the schedules of a survey are random. The other half is like those of
// a search: faster in the median, and not only the best.
TEST(SearchStrategy, SurveysSpread) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  auto survey = createSearch("survey", space, nullptr, small(3));
  std::vector<double> random, searched;
  for (unsigned round = 0; round < 6; ++round) {
    std::vector<Trial> results;
    unsigned randoms = 0;
    for (const Trial &candidate : survey->propose(20)) {
      double seconds = fakeDevice(task, candidate.schedule);
      results.push_back(trialOf(candidate.schedule, seconds));
      (candidate.random ? random : searched).push_back(seconds);
      randoms += candidate.random;
    }
    ASSERT_EQ(results.size(), 20u);
    // Nothing is measured before the first round, so there are no children.
    EXPECT_EQ(randoms, 10u);
    survey->observe(results);
  }
  llvm::sort(random);
  llvm::sort(searched);
  EXPECT_LT(2 * searched[searched.size() / 2], random[random.size() / 2]);
  EXPECT_GT(searched[searched.size() * 3 / 4], 1.3 * searched.front());
}

// An interrupted and resumed run continues as if it had not been interrupted,
// in the middle of a draft period as well as at its start.
TEST(SearchStrategy, ResumedRunsContinueAlike) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  for (const SearchStrategy *strategy : searchStrategies())
    for (unsigned cut : {1u, 2u}) {
      std::unique_ptr<CostModel> model = createLinearModel();
      auto whole = strategy->createSearch(space, model.get(), small(5));
      TrainingData data(model->reads());
      for (unsigned round = 0; round < cut; ++round) {
        std::vector<Trial> results;
        for (const Trial &c : whole->propose(10))
          results.push_back(trialOf(c.schedule, fakeDevice(task, c.schedule)));
        results[3].seconds = std::nullopt;
        whole->observe(results);
        data.add(space, results);
        data.train(*model);
      }
      std::unique_ptr<CostModel> again = createLinearModel();
      TrainingData recorded(again->reads());
      recorded.add(space, whole->observed());
      recorded.train(*again);
      auto resumed = strategy->createSearch(space, again.get(), small(5));
      resumed->resume(cut, whole->observed());
      std::vector<Trial> expected = whole->propose(10),
                         found = resumed->propose(10);
      ASSERT_EQ(expected.size(), found.size());
      for (unsigned i = 0; i < found.size(); ++i)
        EXPECT_TRUE(expected[i].schedule == found[i].schedule)
            << strategy->name().str() << " after " << cut;
    }
}

/// Returns the number of dimensions with equal factors in both.
static unsigned commonTiles(const Schedule &a, const Schedule &b) {
  unsigned same = 0;
  if (a.sketch == b.sketch)
    for (auto [left, right] : llvm::zip_equal(a.tiles, b.tiles))
      same += left == right;
  return same;
}

// Without a model, children of the fastest schedules take the place of its
// choice; many small batches have as many of them as one large batch.
TEST(SearchStrategy, FastestSchedulesHaveChildren) {
  TaskDesc task = matmul(96, 80, 112);
  ScheduleSpace space(task, cpu());
  Random random(11);
  std::vector<Trial> observed;
  while (observed.size() < 12)
    observed.push_back(trialOf(*space.sample(random), 1.0));
  // A time below every prediction for drafts.
  observed.back().seconds = 1e-9;
  const Schedule &parent = observed.back().schedule;
  for (unsigned batch : {20u, 1u}) {
    SearchOptions options = small(3);
    options.randomShare = 0;
    DraftVerify given;
    given.childrenAfter = unsigned(observed.size());
    given.redraftPeriod = 100;
    auto strategy = given.createSearch(space, nullptr, options);
    strategy->observe(observed);
    unsigned children = 0;
    for (unsigned n = 0; n < 20; n += batch)
      for (const Trial &candidate : strategy->propose(batch))
        children += commonTiles(candidate.schedule, parent) >= 2;
    EXPECT_GE(children, 8u) << batch;
    EXPECT_LE(children, 13u) << batch;
  }
}

TEST(SearchStrategy, ExhaustiveEndsWithEverySchedule) {
  TaskDesc task = elementwise(4, 8);
  ScheduleSpace space(task, cpu());
  auto strategy = createSearch("exhaustive", space, nullptr);
  std::set<std::string> proposed;
  for (std::vector<Trial> batch = strategy->propose(7); !batch.empty();
       batch = strategy->propose(7))
    for (const Trial &candidate : batch)
      EXPECT_TRUE(proposed.insert(scheduleKey(candidate.schedule)).second);
  unsigned legal = 0;
  for (uint64_t i = 0; i < uint64_t(space.size()); ++i)
    legal += bool(space.at(i));
  EXPECT_EQ(proposed.size(), legal);
  // The other strategies end as well, without repetitions.
  auto random = createSearch("random", space, nullptr);
  unsigned total = 0;
  for (unsigned round = 0; round < legal; ++round)
    total += random->propose(7).size();
  EXPECT_LE(total, legal);
  EXPECT_GT(total, legal / 2);
}

TEST(TrainingData, LabelsAreRelativeToTheTasksBest) {
  ScheduleSpace space(matmul(64, 64, 64), cpu());
  Random random(1);
  Schedule s = *space.sample(random);
  TrainingData data({false, false});
  data.add(space, {trialOf(s, 2.0), trialOf(s, std::nullopt)});
  data.add(space, trialOf(s, 8.0, 1));
  EXPECT_EQ(data.labels(), (std::vector<float>{1, 0, 1}));
  data.add(space, trialOf(s, 1.0));
  EXPECT_EQ(data.labels(), (std::vector<float>{0.5, 0, 1, 1}));
}

// With the same 60 trials, drafting finds faster schedules than random search,
// which draws from the same biased space: at least 1.1 times as fast in the
// mean of three tasks and three seeds, and never slower by more than the noise
// of the fake device, which is up to 1.2.
TEST(SearchStrategy, DraftVerifyBeatsRandom) {
  std::vector<double> ratios;
  for (const TaskDesc &task :
       {matmul(511, 513, 509), matmul(65, 1024, 1024), matmul(128, 3072, 768)})
    for (uint64_t seed : {1, 2, 3}) {
      double drafted = tune("draft-verify", task, seed, 6);
      ratios.push_back(tune("random", task, seed, 6) / drafted);
      EXPECT_GT(ratios.back(), 1 / 1.2);
      // Up to 1.2 is noise; the rest is loop starts, edges, packing and memory.
      EXPECT_LT(drafted, 2.2 * task.flops() / cpu().peakFlops);
    }
  EXPECT_GT(geometricMean(ratios), 1.1);
}

// Compared with the Ansor loop with the same model, space and trials.
TEST(SearchStrategy, DraftVerifyBeatsLearnedAllEarly) {
  std::vector<double> ratios;
  TaskDesc task = matmul(511, 513, 509);
  for (uint64_t seed : {1, 2, 3, 4})
    ratios.push_back(tune("learned-all", task, seed, 3) /
                     tune("draft-verify", task, seed, 3));
  EXPECT_GT(geometricMean(ratios), 1.1);
}
