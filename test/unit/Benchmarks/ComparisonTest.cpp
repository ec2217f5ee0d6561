//===- ComparisonTest.cpp - means over a suite ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"

#include "gtest/gtest.h"

#include <limits>

using namespace pruner::bench;

namespace {

TEST(GeometricMean, OfRatios) {
  EXPECT_DOUBLE_EQ(geometricMean({2, 0.5}), 1);
  EXPECT_NEAR(geometricMean({1, 10, 100}), 10, 1e-12);
  EXPECT_EQ(geometricMean({}), 0);
  // Invalid ratios do not count.
  EXPECT_DOUBLE_EQ(
      geometricMean({4, 0, -1, std::numeric_limits<double>::infinity()}), 4);
}

TEST(PeerTime, SubtractsTheCall) {
  EXPECT_DOUBLE_EQ((PeerTime{"a", Role::Peer, 20e-6, 5e-6}.net()), 15e-6);
  EXPECT_DOUBLE_EQ((PeerTime{"a", Role::Peer, 20e-6, 0}.net()), 20e-6);
  // At most half, even if an empty call took longer than this one.
  EXPECT_DOUBLE_EQ((PeerTime{"a", Role::Peer, 20e-6, 18e-6}.net()), 10e-6);
  EXPECT_DOUBLE_EQ((PeerTime{"a", Role::Peer, 20e-6, 30e-6}.net()), 10e-6);
}

TEST(Comparison, BestPeersAndEachOfThem) {
  Comparison comparison;
  // Ours takes 10; packed 8 net of its call, plain 20, slow 40.
  comparison.add("one", 10,
                 {{"slow", Role::Peer, 40, 0},
                  {"plain", Role::Peer, 21, 1},
                  {"packed", Role::Packed, 12, 4}});
  // Ours takes 1; only one peer has it.
  comparison.add("two", 1, {{"plain", Role::Peer, 4, 0}});
  comparison.add("three", 1, {});
  std::vector<ComparisonRow> rows = comparison.rows();
  ASSERT_EQ(rows.size(), 5u);

  EXPECT_EQ(rows[0].peer, Comparison::kBestOfAny);
  EXPECT_EQ(rows[0].count, 2u);
  EXPECT_NEAR(rows[0].mean, std::sqrt(0.8 * 4), 1e-12);
  EXPECT_NEAR(rows[0].asCalled, std::sqrt(1.2 * 4), 1e-12);
  EXPECT_DOUBLE_EQ(rows[0].least, 0.8);
  EXPECT_EQ(rows[0].leastAt, "one");
  EXPECT_DOUBLE_EQ(rows[0].most, 4);
  EXPECT_EQ(rows[0].mostAt, "two");

  EXPECT_EQ(rows[1].peer, Comparison::kBestAtRunTime);
  EXPECT_NEAR(rows[1].mean, std::sqrt(2.0 * 4), 1e-12);

  EXPECT_EQ(rows[2].peer, "slow");
  EXPECT_EQ(rows[2].count, 1u);
  EXPECT_DOUBLE_EQ(rows[2].mean, 4);
  EXPECT_EQ(rows[3].peer, "plain");
  EXPECT_EQ(rows[3].count, 2u);
  EXPECT_EQ(rows[4].peer, "packed");
}

TEST(Comparison, SummaryRowsComeFirst) {
  Comparison comparison;
  comparison.add("one", 1, {{"packed", Role::Packed, 2, 0}});
  comparison.add("two", 1, {{"plain", Role::Peer, 2, 0}});
  std::vector<ComparisonRow> rows = comparison.rows();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].peer, Comparison::kBestOfAny);
  EXPECT_EQ(rows[1].peer, Comparison::kBestAtRunTime);
  EXPECT_EQ(rows[1].count, 1u);
  EXPECT_EQ(rows[2].peer, "packed");
}

TEST(Statistics, DropsDisturbedBatches) {
  std::vector<Batch> batches;
  for (double seconds : {1.0, 2.0, 3.0})
    batches.push_back({/*runs=*/10, seconds, seconds});
  batches.push_back({/*runs=*/10, /*wall=*/9, /*cpu=*/4});
  Statistics statistics = summarize(batches);
  EXPECT_DOUBLE_EQ(statistics.median, 0.2);
  EXPECT_DOUBLE_EQ(statistics.minimum, 0.1);
  EXPECT_EQ(statistics.kept, 3u);
  EXPECT_EQ(statistics.dropped, 1u);
  EXPECT_FALSE(statistics.byCpu);
}

TEST(Statistics, FallsBackToCpuTime) {
  std::vector<Batch> batches(5, Batch{/*runs=*/2, /*wall=*/4, /*cpu=*/1});
  Statistics statistics = summarize(batches);
  EXPECT_TRUE(statistics.byCpu);
  EXPECT_DOUBLE_EQ(statistics.median, 0.5);
  EXPECT_EQ(summarize({}).median, 0);
}

} // namespace
