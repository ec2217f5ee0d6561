//===- LambdaRankTest.cpp - LambdaRank against its definition -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/LambdaRank.h"
#include "TestData.h"

#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pruner;

/// The definition in double precision, pair by pair. \p discountScores gives
/// the ranks, so that they can be held fixed while \p scores move.
static double naiveLoss(const std::vector<double> &scores,
                        const std::vector<double> &discountScores,
                        const std::vector<float> &labels) {
  std::size_t n = scores.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return discountScores[a] > discountScores[b];
  });
  std::vector<double> discount(n);
  for (std::size_t r = 0; r < n; ++r)
    discount[order[r]] = std::log2(1.0 + double(r + 1));
  std::vector<float> sorted = labels;
  std::sort(sorted.rbegin(), sorted.rend());
  double maxDcg = 0;
  for (std::size_t r = 0; r < n; ++r)
    maxDcg += (std::pow(2.0, sorted[r]) - 1) / std::log2(1.0 + double(r + 1));
  maxDcg = std::max(maxDcg, 1e-10);
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (!(labels[i] > labels[j]))
        continue;
      double gain =
          std::fabs(std::pow(2.0, labels[i]) - std::pow(2.0, labels[j])) /
          maxDcg;
      double weight = std::fabs(1 / discount[i] - 1 / discount[j]) * gain;
      double sigmoid = 1 / (1 + std::exp(-(scores[i] - scores[j])));
      loss -= std::log2(
          std::max(std::pow(std::max(sigmoid, 1e-10), weight), 1e-10));
    }
  return loss;
}

static double naiveLoss(const std::vector<float> &scores,
                        const std::vector<float> &labels) {
  std::vector<double> s(scores.begin(), scores.end());
  return naiveLoss(s, s, labels);
}

static void makeList(std::size_t n, unsigned seed, float spread,
                     std::vector<float> &scores, std::vector<float> &labels) {
  std::mt19937_64 engine(seed);
  scores.clear();
  labels.clear();
  for (std::size_t i = 0; i < n; ++i) {
    scores.push_back(spread * (pruner_test::uniform(engine) - 0.5f));
    // Some ties and some failed measurements.
    labels.push_back(std::floor(pruner_test::uniform(engine) * 40) / 40);
  }
}

TEST(LambdaRank, EqualsTheDefinition) {
  for (std::size_t n : {1u, 2u, 3u, 7u, 64u, 513u})
    for (float spread : {0.1f, 4.0f, 200.0f}) {
      std::vector<float> scores, labels, gradient;
      makeList(n, unsigned(n), spread, scores, labels);
      double expected = naiveLoss(scores, labels);
      EXPECT_NEAR(expected, lambdaRank(scores, labels, nullptr, gradient),
                  2e-5 * std::max(1.0, expected))
          << n << " programs, spread " << spread;
    }
}

TEST(LambdaRank, HandComputedPair) {
  // y = 1 and 0, s = 0 and 0: ranks 1 and 2, maxDCG = (2^1 - 1)/log2(2) = 1,
  // w = (1 - 1/log2 3) * 1 = 0.36907, loss = -w log2(1/2) = w.
  std::vector<float> gradient;
  double loss = lambdaRank({0.0f, 0.0f}, {1.0f, 0.0f}, nullptr, gradient);
  EXPECT_NEAR(0.3690702, loss, 1e-6);
  // d loss/d s_1 = -w (1 - sigmoid(0)) / ln 2.
  EXPECT_NEAR(-0.3690702 * 0.5 / std::log(2.0), gradient[0], 1e-6);
  EXPECT_NEAR(-gradient[0], gradient[1], 1e-7);
}

TEST(LambdaRank, GradientEqualsFiniteDifferences) {
  for (float spread : {1.0f, 30.0f}) {
    std::vector<float> scores, labels, gradient;
    makeList(40, 5, spread, scores, labels);
    lambdaRank(scores, labels, nullptr, gradient);
    std::vector<double> fixed(scores.begin(), scores.end());
    double largest = 0;
    for (float g : gradient)
      largest = std::max(largest, std::fabs(double(g)));
    ASSERT_GT(largest, 0.01);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const double h = 1e-5;
      std::vector<double> up = fixed, down = fixed;
      up[k] += h;
      down[k] -= h;
      double difference =
          (naiveLoss(up, fixed, labels) - naiveLoss(down, fixed, labels)) /
          (2 * h);
      EXPECT_NEAR(difference, gradient[k], 1e-5 * std::max(1.0, largest));
    }
  }
}

TEST(LambdaRank, WorstPairsAreCutOff) {
  // Wrong by 1e6: the term is w * -log2 1e-10, with no gradient.
  std::vector<float> gradient;
  double loss = lambdaRank({0.0f, 1e6f}, {1.0f, 0.0f}, nullptr, gradient);
  EXPECT_NEAR(0.3690702 * 33.2192809, loss, 1e-4);
  EXPECT_EQ(0.0f, gradient[0]);
  EXPECT_EQ(0.0f, gradient[1]);
}

TEST(LambdaRank, OneListPerTaskIsTheSumOfItsLists) {
  std::vector<float> scores, labels, gradient;
  makeList(60, 9, 4.0f, scores, labels);
  std::vector<int> groups;
  for (int i = 0; i < 60; ++i)
    groups.push_back(i % 3 == 0 ? -7 : i % 3);
  double loss = lambdaRank(scores, labels, &groups, gradient);
  double sum = 0;
  for (int group : {-7, 1, 2}) {
    std::vector<float> s, y, g;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < 60; ++i)
      if (groups[i] == group) {
        s.push_back(scores[i]);
        y.push_back(labels[i]);
        members.push_back(i);
      }
    sum += lambdaRank(s, y, nullptr, g);
    for (std::size_t k = 0; k < members.size(); ++k)
      EXPECT_EQ(g[k], gradient[members[k]]);
  }
  EXPECT_DOUBLE_EQ(sum, loss);
  std::vector<float> mixed;
  EXPECT_GT(std::fabs(lambdaRank(scores, labels, nullptr, mixed) - loss), 1e-3);
}

TEST(LambdaRank, EqualLabelsHaveNoGradient) {
  std::vector<float> gradient;
  EXPECT_EQ(0.0, lambdaRank({3, 1, 2}, {0, 0, 0}, nullptr, gradient));
  EXPECT_EQ((std::vector<float>{0, 0, 0}), gradient);
  EXPECT_EQ(0.0, lambdaRank({}, {}, nullptr, gradient));
}
