//===- TrustTest.cpp - pairs by the model that was right ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Trust.h"

#include "gtest/gtest.h"

using namespace pruner;

static Trial observed(std::optional<double> milliseconds,
                      std::optional<float> score, double draft) {
  Trial trial;
  trial.seconds = milliseconds;
  trial.score = score;
  trial.draftSeconds = draft;
  return trial;
}

// The example of the header, and pairs that do not count.
TEST(Disagreements, PairsByHand) {
  Disagreements pairs;
  EXPECT_EQ(pairs.draftShare(), 0);
  pairs.add(
      {observed(1.0, 0.5f, 1), observed(1.3, 0.1f, 2), observed(1.0, 0.9f, 3)});
  EXPECT_EQ(pairs.modelWasRight(), 1u);
  EXPECT_EQ(pairs.draftWasRight(), 0u);
  pairs.add({observed(1.0, 0.5f, 1), observed(1.02, 0.9f, 2)}); // Noise.
  pairs.add({observed(1.0, 0.5f, 1), observed(2.0, 0.5f, 2)});  // A tie.
  pairs.add({observed(1.0, 0.5f, 1), observed({}, 0.9f, 2)});   // A failure.
  pairs.add({observed(1.0, {}, 1), observed(2.0, 0.9f, 2)});    // No score.
  EXPECT_EQ(pairs.modelWasRight() + pairs.draftWasRight(), 1u);
  pairs.add({observed(1.0, 0.5f, 1), observed(2.0, 0.9f, 2)});
  EXPECT_EQ(pairs.draftWasRight(), 1u);
}

TEST(Disagreements, ShareFollowsTheRightModel) {
  auto after = [](unsigned model, unsigned draft) {
    Disagreements pairs;
    for (unsigned n = 0; n < model; ++n)
      pairs.add({observed(1, 1, 2), observed(2, 0, 1)});
    for (unsigned n = 0; n < draft; ++n)
      pairs.add({observed(1, 0, 1), observed(2, 1, 2)});
    return pairs.draftShare();
  };
  EXPECT_EQ(after(50, 0), 0);
  EXPECT_EQ(after(200, 100), 0);
  EXPECT_NEAR(after(1000, 1000), 0.5, 0.01);
  EXPECT_GT(after(10, 30), after(20, 30));
  EXPECT_EQ(after(0, 100), 1);
}
