//===- CompareTest.cpp - results against the reference --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/Reference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace pruner;

static TensorSpec f32(std::initializer_list<int64_t> shape) {
  TensorSpec spec;
  spec.shape.assign(shape);
  return spec;
}

TEST(Compare, ExactNamesCountAndFirst) {
  float got[6] = {0, 1, 2, 3, 7, 9};
  ExpectedOutput expected{{0, 1, 2, 3, 4, 5}, {}};
  double worst = 0;
  auto wrong = compareOutput(f32({2, 3}), got, expected, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "2 of 6 elements differ, the first at [1, 1]: expected 4, "
                    "got 7");
  got[4] = 4;
  got[5] = 5;
  EXPECT_FALSE(compareOutput(f32({2, 3}), got, expected, worst));
}

TEST(Compare, PoisonIsNeverWritten) {
  float got[2];
  std::memset(got, 0xFF, sizeof(got));
  double worst = 0;
  auto wrong = compareOutput(f32({2}), got, ExpectedOutput{{1, 2}, {}}, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "2 of 2 elements differ, the first at [0]: expected 1, "
                    "got nan (never written)");
}

TEST(Compare, BoundsAreInclusiveAndReported) {
  double worst = 0;
  float got[2] = {1.25f, -2.0f};
  ExpectedOutput expected{{1.0, -2.5}, {0.5, 0.5}};
  EXPECT_FALSE(compareOutput(f32({2}), got, expected, worst));
  EXPECT_EQ(worst, 1.0);
  expected.bound[0] = 0.125;
  auto wrong = compareOutput(f32({2}), got, expected, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "1 of 2 elements differ, the first at [0]: expected 1, got "
                    "1.25 (bound 0.125)");
}

TEST(Compare, InfinitiesAndNaNsMustAgree) {
  double worst = 0;
  float got[3] = {INFINITY, NAN, -INFINITY};
  ExpectedOutput expected{{INFINITY, NAN, -INFINITY}, {1, 1, 1}};
  EXPECT_FALSE(compareOutput(f32({3}), got, expected, worst));
  got[0] = -INFINITY;
  EXPECT_TRUE(compareOutput(f32({3}), got, expected, worst));
  got[0] = INFINITY;
  got[1] = 3;
  EXPECT_TRUE(compareOutput(f32({3}), got, expected, worst));
  EXPECT_EQ(worst, 0);
}

// Long results are first compared in blocks.
TEST(Compare, LongResultsAreComparedElementByElement) {
  const int64_t count = 5000;
  std::vector<float> got(count, 1.0f);
  ExpectedOutput expected;
  expected.want.assign(count, 1.0);
  double worst = 0;
  EXPECT_FALSE(compareOutput(f32({50, 100}), got.data(), expected, worst));
  got[4999] = 2;
  auto wrong = compareOutput(f32({50, 100}), got.data(), expected, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "1 of 5000 elements differ, the first at [49, 99]: "
                    "expected 1, got 2");
  // Within bounds; element 2047 has the largest error as a fraction of its
  // bound.
  expected.bound.assign(count, 0.5);
  got[4999] = 1.25f;
  got[2047] = 1.375f;
  EXPECT_FALSE(compareOutput(f32({50, 100}), got.data(), expected, worst));
  EXPECT_EQ(worst, 0.75);
  // Infinities and NaN, in any block.
  expected.want[3000] = NAN;
  expected.bound[10] = INFINITY;
  got[10] = 7;
  wrong = compareOutput(f32({50, 100}), got.data(), expected, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "1 of 5000 elements differ, the first at [30, 0]: expected "
                    "nan, got 1 (bound 0.5)");
  got[3000] = NAN;
  got[1024] = 3;
  wrong = compareOutput(f32({50, 100}), got.data(), expected, worst);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(*wrong, "1 of 5000 elements differ, the first at [10, 24]: "
                    "expected 1, got 3 (bound 0.5)");
  EXPECT_EQ(worst, 4);
}

TEST(Compare, OtherSpecialValuesMayBeRight) {
  ExpectedOutput expected{{-INFINITY, 1}, {0, 0.5}};
  expected.others = {NotANumber, PlusInfinity};
  double worst = 0;
  for (auto [a, b] :
       {std::pair(-INFINITY, 1.0f), {NAN, 1.25f}, {NAN, INFINITY}}) {
    float got[] = {a, b};
    EXPECT_FALSE(compareOutput(f32({2}), got, expected, worst));
  }
  for (auto [a, b] : {std::pair(INFINITY, 1.0f),
                      {0.0f, 1.0f},
                      {NAN, NAN},
                      {NAN, -INFINITY}}) {
    float got[] = {a, b};
    auto wrong = compareOutput(f32({2}), got, expected, worst);
    ASSERT_TRUE(wrong);
    EXPECT_NE(wrong->find("1 of 2 elements differ"), std::string::npos);
  }
  float got[] = {-1, 1};
  EXPECT_EQ(*compareOutput(f32({2}), got, expected, worst),
            "1 of 2 elements differ, the first at [0]: expected -inf or nan, "
            "got -1 (bound 0)");
}
