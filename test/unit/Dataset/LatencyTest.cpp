//===- LatencyTest.cpp - errors of times, and clusters --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EvaluateLatency.h"
#include "TaskSampling.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner;

TEST(LatencyErrors, OfFourTimes) {
  std::vector<double> measured = {1, 2, 4, 10}, predicted = {1.1, 1.5, 4, 13};
  LatencyErrors errors = latencyErrors(predicted, measured);
  EXPECT_EQ(errors.schedules, 4u);
  EXPECT_NEAR(errors.mean, (0.1 + 0.25 + 0 + 0.3) / 4, 1e-12);
  EXPECT_NEAR(errors.median, (0.1 + 0.25) / 2, 1e-12);
  EXPECT_EQ(errors.within20, 0.5);
  predicted[2] = NAN;
  EXPECT_NEAR(latencyErrors(predicted, measured).mean,
              (0.1 + 0.25 + 1 + 0.3) / 4, 1e-12);
  EXPECT_EQ(latencyErrors({}, {}).schedules, 0u);
}

TEST(KMeans, FindsThreeClusters) {
  std::vector<std::vector<double>> points;
  for (int n = 0; n < 30; ++n)
    points.push_back({n < 15 ? 0.0 : n < 25 ? 100.0 : 200.0, double(n % 5)});
  for (uint64_t seed : {0, 1, 2}) {
    Clusters clusters = kMeans(points, 3, seed);
    ASSERT_EQ(clusters.centers.size(), 3u);
    std::vector<std::pair<double, size_t>> found;
    for (size_t c = 0; c < 3; ++c) {
      found.emplace_back(clusters.centers[c][0], clusters.sizes[c]);
      EXPECT_NEAR(clusters.centers[c][1], 2, 1e-9);
    }
    llvm::sort(found);
    EXPECT_NEAR(found[0].first, 0, 1e-9);
    EXPECT_NEAR(found[1].first, 100, 1e-9);
    EXPECT_EQ(found[0].second, 15u);
    EXPECT_EQ(found[1].second, 10u);
    EXPECT_EQ(found[2].second, 5u);
  }
  // At most as many as there are distinct points.
  EXPECT_EQ(kMeans(points, 100, 0).centers.size(), 15u);
  EXPECT_TRUE(kMeans({}, 3, 0).centers.empty());
}
