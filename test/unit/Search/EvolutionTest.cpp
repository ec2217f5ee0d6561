//===- EvolutionTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Search/Evolution.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <set>

using namespace pruner;
using namespace pruner::test;

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInf = std::numeric_limits<float>::infinity();

/// Returns how often each index is drawn in 10,000 draws.
static std::vector<int> draws(std::vector<float> scores) {
  Roulette roulette(scores);
  Random random(1);
  std::vector<int> counts(scores.size());
  for (int i = 0; i < 10000; ++i)
    ++counts[roulette.draw(random)];
  return counts;
}

TEST(Roulette, DrawsInProportion) {
  std::vector<int> counts = draws({1, 3, 0});
  EXPECT_NEAR(counts[0], 2500, 200);
  EXPECT_NEAR(counts[1], 7500, 200);
  EXPECT_EQ(counts[2], 0);
}

TEST(Roulette, NegativeScoresKeepTheirOrder) {
  std::vector<int> counts = draws({-10, -5, -1});
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[1], counts[0]);
  EXPECT_GT(counts[2], counts[1]);
}

TEST(Roulette, BadScores) {
  std::vector<int> counts = draws({-kInf, 1, kNan, 1});
  EXPECT_EQ(counts[0] + counts[2], 0);
  for (std::vector<float> flat :
       {std::vector<float>{0, 0}, {-3, -3}, {kNan, kNan}, {-kInf, -kInf}}) {
    std::vector<int> counts = draws(flat);
    EXPECT_NEAR(counts[0], 5000, 300);
  }
}

TEST(Evolution, KeepsTheBestDistinctSchedules) {
  ScheduleSpace space(matmul(96, 96, 96), cpu());
  Random random(3);
  std::vector<Schedule> start;
  for (int i = 0; i < 64; ++i)
    start.push_back(*space.sample(random));
  // Larger register tiles score better; some schedules cannot be scored.
  auto scoreOf = [](const Schedule &s) {
    return s.unroll == 8 ? -kInf : float(s.tiles[0][2] * s.tiles[1][2]);
  };
  std::set<std::string> scored;
  auto score = [&](SchedulePointers schedules) {
    std::vector<float> scores;
    for (const Schedule *s : schedules) {
      EXPECT_TRUE(scored.insert(scheduleKey(*s)).second);
      scores.push_back(scoreOf(*s));
    }
    return scores;
  };
  float bestAtStart = 0;
  for (const Schedule &s : start)
    bestAtStart = std::max(bestAtStart, scoreOf(s));
  EvolutionOptions options;
  options.population = 128;
  options.generations = 6;
  options.keep = 20;
  Random a(5), b(5);
  Evolved first = evolve(space, start, score, options, a);
  EXPECT_EQ(first.evaluations, 64 + 6 * 128u);
  EXPECT_LT(scored.size(), first.evaluations);
  scored.clear();
  Evolved second = evolve(space, start, score, options, b);
  ASSERT_EQ(first.schedules.size(), 20u);
  std::set<std::string> keys;
  for (unsigned i = 0; i < 20; ++i) {
    EXPECT_TRUE(keys.insert(scheduleKey(first.schedules[i])).second);
    EXPECT_NE(first.schedules[i].unroll, 8);
    EXPECT_TRUE(first.schedules[i] == second.schedules[i]);
    if (i > 0)
      EXPECT_LE(first.scores[i], first.scores[i - 1]);
  }
  EXPECT_GE(first.scores[0], bestAtStart);
}
