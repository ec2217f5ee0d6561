//===- CertaintyTest.cpp - when to stop tuning a task ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Certainty.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;

using Batches = std::vector<std::vector<float>>;

// Strengths 1 and 3 have the mean 2 and the deviation 1.
TEST(Certainty, VariationByHand) {
  float three = std::log(3.0f);
  EXPECT_NEAR(variationOf(Batches{{0}, {three}}), 0.5, 1e-6);
  // 2 is the mean of 1 and 3.
  EXPECT_NEAR(variationOf(Batches{{0, three}, {std::log(2.0f)}}), 0, 1e-6);
  EXPECT_EQ(variationOf(Batches{{-2, 5}, {-2, 5}, {5, -2}}), 0);
}

TEST(Certainty, AddingToAllScoresChangesNothing) {
  Batches batches{{0.1f, -2}, {1.5f}, {0.7f, 0.9f, -4}}, moved = batches;
  for (std::vector<float> &scores : moved)
    for (float &score : scores)
      score += 300; // exp() would overflow.
  EXPECT_NEAR(variationOf(batches), variationOf(moved), 1e-4);
}

TEST(Certainty, OneBatchOrNoScoreIsUncertain) {
  EXPECT_EQ(variationOf({}), INFINITY);
  EXPECT_EQ(variationOf(Batches{{1, 1}}), INFINITY);
  EXPECT_EQ(variationOf(Batches{{-INFINITY}, {-INFINITY}}), INFINITY);
  EXPECT_EQ(variationOf(Batches{{1}, {-INFINITY}}), INFINITY);
  EXPECT_EQ(variationOf(Batches{{1}, {}}), INFINITY);
}

TEST(Certainty, TheLastBatchesDecide) {
  CertaintyOptions options{0.1, 2};
  Batches settled{{-3}, {0.02f}, {0}}, moving{{0}, {0}, {-1}};
  EXPECT_TRUE(isCertain(settled, options));
  EXPECT_FALSE(isCertain(moving, options));
  options.batches = 3;
  EXPECT_FALSE(isCertain(settled, options));
  // Too few batches, a bound of 0, and a window of fewer than two batches.
  EXPECT_FALSE(isCertain(Batches{{0}, {0}}, options));
  EXPECT_FALSE(isCertain(Batches{{0}, {0}, {0}}, {0, 3}));
  EXPECT_FALSE(isCertain(Batches{{0}}, {1, 0}));
}
