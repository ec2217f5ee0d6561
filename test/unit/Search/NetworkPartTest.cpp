//===- NetworkPartTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TwoForms.h"

#include "gtest/gtest.h"

#include <limits>

using namespace pruner;

static constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(NetworkPart, TheFastestFormCounts) {
  NetworkPart network = partsWithTwoForms(2);
  EXPECT_EQ(network.str(), "4*1 (0*1 1*1 2*1 | 3*1) (0*1 1*1 2*1 | 3*1)");
  EXPECT_DOUBLE_EQ(network.seconds({1, 2, 3, 7, 10}), 10 + 2 * 6);
  EXPECT_EQ(network.fastestCalls({1, 2, 3, 7, 10}),
            (std::vector<double>{2, 2, 2, 0, 1}));
  EXPECT_DOUBLE_EQ(network.seconds({1, 2, 3, 5, 10}), 10 + 2 * 5);
  EXPECT_EQ(network.fastestCalls({1, 2, 3, 5, 10}),
            (std::vector<double>{0, 0, 0, 2, 1}));
  // The first of equal forms, and any form before one without a time.
  EXPECT_EQ(network.fastestCalls({1, 2, 3, 6, 10})[3], 0);
  EXPECT_EQ(network.fastestCalls({1, kNever, 3, 6, 10})[3], 2);
  EXPECT_EQ(network.seconds({1, kNever, 3, kNever, 10}), kNever);
  // A form may have parts with several forms.
  NetworkPart other, outer;
  other.calls = {{4, 3}};
  outer.choices = {{network, other}};
  EXPECT_DOUBLE_EQ(outer.seconds({1, 2, 3, 5, 10}), 10 + 2 * 5);
  EXPECT_DOUBLE_EQ(outer.seconds({1, 2, 3, 5, 2}), 6);
}
