//===- PairwiseRankTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PairwiseRank.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>
#include <random>

using namespace pruner;

/// The loss of all pairs of one list.
static double lossOf(const std::vector<float> &s, const std::vector<float> &y) {
  double loss = 0;
  for (size_t i = 0; i < s.size(); ++i)
    for (size_t j = 0; j < s.size(); ++j)
      if (y[i] > y[j])
        loss += (y[i] - y[j]) * std::log1p(std::exp(s[j] - s[i]));
  return loss;
}

TEST(PairwiseRank, DerivativesOfCompleteLists) {
  std::vector<float> s = {0.5f, -0.25f, 1.0f, 0.0f, 0.75f};
  std::vector<float> y = {1.0f, 0.5f, 0.25f, 0.5f, 0.0f}, g, h;
  pairwiseRank(s, y, {5}, 4, 1, g, h);
  for (size_t i = 0; i < s.size(); ++i) {
    const float step = 0.01f;
    std::vector<float> up = s, down = s;
    up[i] += step;
    down[i] -= step;
    double plus = lossOf(up, y), minus = lossOf(down, y);
    EXPECT_NEAR(g[i], (plus - minus) / (2 * step), 1e-3);
    EXPECT_NEAR(h[i], (plus - 2 * lossOf(s, y) + minus) / (step * step), 1e-2);
  }
}

TEST(PairwiseRank, ListsAreIndependent) {
  std::vector<float> s = {0, 0, 0, 0}, y = {1, 1, 0, 0}, g, h;
  pairwiseRank(s, y, {2, 2}, 8, 1, g, h);
  for (float each : g)
    EXPECT_EQ(each, 0);
  for (float each : h)
    EXPECT_GT(each, 0);
}

// A few pairs of a long list are drawn. Their mean is that of all pairs.
TEST(PairwiseRank, SamplesAreFair) {
  const size_t count = 40;
  const unsigned partners = 4, draws = 4000;
  std::mt19937 random(5);
  std::vector<float> s(count), y(count), all, h, sum(count, 0), g;
  for (size_t i = 0; i < count; ++i) {
    s[i] = float(random() % 100) / 50;
    y[i] = float(random() % 100) / 100;
  }
  pairwiseRank(s, y, {unsigned(count)}, count, 1, all, h);
  for (unsigned seed = 0; seed < draws; ++seed) {
    pairwiseRank(s, y, {unsigned(count)}, partners, seed, g, h);
    for (size_t i = 0; i < count; ++i)
      sum[i] += g[i];
  }
  // Each ordered pair is drawn with probability partners / count.
  for (size_t i = 0; i < count; ++i)
    EXPECT_NEAR(sum[i] / draws * count / (2 * partners), all[i],
                0.15 + 0.05 * std::abs(all[i]));
}
