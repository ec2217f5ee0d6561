//===- MetricsTest.cpp - metrics computed by hand -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Metrics.h"

#include "pruner/Support/Random.h"

#include <gtest/gtest.h>

using namespace pruner;
using Values = std::vector<double>;

TEST(Metrics, RankCorrelationOfFiveValues) {
  // Ranks 0 1 2 3 4 and 1 0 3 2 4: the squared differences add up to 4, so it
  // is 1 - 6 * 4 / (5 * 24).
  EXPECT_DOUBLE_EQ(
      rankCorrelation(Values{1, 2, 5, 7, 8}, Values{2, 1, 9, 4, 10}), 0.8);
  EXPECT_DOUBLE_EQ(rankCorrelation(Values{1, 2, 3}, Values{1, 10, 100}), 1);
  EXPECT_DOUBLE_EQ(rankCorrelation(Values{1, 2, 3}, Values{9, 4, 1}), -1);
}

TEST(Metrics, TiesHaveTheMeanOfTheirRanks) {
  // Ranks 0, 1.5, 1.5, 3 against 0 1 2 3: covariance 4.5, variances 4.5 and 5.
  EXPECT_DOUBLE_EQ(rankCorrelation(Values{1, 2, 2, 3}, Values{1, 2, 3, 4}),
                   4.5 / std::sqrt(4.5 * 5));
}

TEST(Metrics, ConstantValuesDoNotCorrelate) {
  EXPECT_EQ(rankCorrelation(Values{1, 1, 1}, Values{1, 2, 3}), 0);
  EXPECT_EQ(rankCorrelation(Values{7}, Values{7}), 0);
  EXPECT_EQ(rankCorrelation(Values{}, Values{}), 0);
}

TEST(Metrics, PairsOfEqualValuesDoNotCount) {
  // Five pairs of {4, 3, 3, 1} differ: two are right, two wrong, one undecided.
  EXPECT_DOUBLE_EQ(pairwiseAccuracy(Values{2, 1, 5, 2}, Values{4, 3, 3, 1}),
                   2.5 / 5);
  EXPECT_DOUBLE_EQ(pairwiseAccuracy(Values{9, 5, 1}, Values{3, 2, 1}), 1);
  EXPECT_DOUBLE_EQ(pairwiseAccuracy(Values{0, 0, 0}, Values{3, 2, 1}), 0.5);
  EXPECT_DOUBLE_EQ(pairwiseAccuracy(Values{1, 2}, Values{3, 3}), 0.5);
}

TEST(Metrics, ExpectedMaximumOfTwoOfFour) {
  // Of the six pairs of {1, 2, 3, 4} the maximum is 4 in three, 3 in two and 2
  // in one.
  EXPECT_DOUBLE_EQ(expectedMaximum(0, {2, 4, 1, 3}, 2),
                   (3 * 4 + 2 * 3 + 2) / 6.0);
  // If 3 is certain, only 4 is better.
  EXPECT_DOUBLE_EQ(expectedMaximum(3, {2, 4, 1, 3}, 2), (3 * 4 + 3 * 3) / 6.0);
}

TEST(Metrics, ExpectedMaximumAtTheEnds) {
  EXPECT_DOUBLE_EQ(expectedMaximum(0.5, {1, 2}, 0), 0.5);
  EXPECT_DOUBLE_EQ(expectedMaximum(0.5, {}, 3), 0.5);
  EXPECT_DOUBLE_EQ(expectedMaximum(0, {1, 2, 6}, 1), 3);
  EXPECT_DOUBLE_EQ(expectedMaximum(0, {1, 2, 6}, 3), 6);
  EXPECT_DOUBLE_EQ(expectedMaximum(0, {1, 2, 6}, 9), 6);
}

TEST(Metrics, ExpectedMaximumIsTheMeanOfManyDraws) {
  Random random(1);
  Values pool;
  for (int i = 0; i < 40; ++i)
    pool.push_back(random.uniformReal());
  double sum = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    random.shuffle(pool);
    sum += *std::max_element(pool.begin(), pool.begin() + 7);
  }
  EXPECT_NEAR(expectedMaximum(0, pool, 7), sum / kDraws, 0.003);
}

TEST(Metrics, BestOfTheHighestScored) {
  Values scores = {0.9, 0.1, 0.5, 0.7}, values = {0.2, 1.0, 0.6, 0.4};
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 1), 0.2);
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 2), 0.4);
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 3), 0.6);
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 4), 1.0);
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 5), 1.0);
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 0), 0);
}

TEST(Metrics, EqualScoresAtTheBorderAreAChoiceAtRandom) {
  // 0.2 is chosen, and one of the three others.
  Values scores = {2, 1, 1, 1, 0}, values = {0.2, 0.1, 0.4, 1.0, 0.9};
  EXPECT_DOUBLE_EQ(bestOfHighest(scores, values, 2), (0.2 + 0.4 + 1.0) / 3);
  // Equal everywhere: the expectation of a random choice.
  Values equal(5, 0.0);
  EXPECT_DOUBLE_EQ(bestOfHighest(equal, values, 2),
                   expectedMaximum(0, values, 2));
}
