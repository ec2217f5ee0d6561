//===- StatisticsTest.cpp - statistics of samples -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Contender.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace pruner::bench;

TEST(Quantile, MedianOfOddAndEvenCounts) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({7}, 0.5), 7);
}

TEST(Quantile, TailsAreSamples) {
  std::vector<double> values(200);
  std::iota(values.rbegin(), values.rend(), 1.0);
  EXPECT_EQ(quantile(values, 0.99), 198);
  EXPECT_EQ(quantile(values, 1), 200);
  EXPECT_EQ(quantile(values, 0), 1);
  // For few samples the maximum.
  EXPECT_EQ(quantile({5, 9, 1}, 0.99), 9);
}

TEST(Quantile, OfNothing) { EXPECT_EQ(quantile({}, 0.5), 0); }
