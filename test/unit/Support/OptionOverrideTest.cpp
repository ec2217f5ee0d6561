//===- OptionOverrideTest.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/OptionOverride.h"

#include "llvm/Support/CommandLine.h"
#include "gtest/gtest.h"

using namespace pruner;

static llvm::cl::opt<int> number("option-override-test", llvm::cl::init(1));

TEST(OptionOverride, LastsForItsLifetime) {
  for (int round = 0; round < 2; ++round) {
    {
      OptionOverride two("option-override-test", "2");
      EXPECT_EQ(number, 2);
    }
    EXPECT_EQ(number, 1);
  }
}

TEST(OptionOverride, LeavesAChoiceOfTheUser) {
  OptionOverride users("option-override-test", "3");
  {
    OptionOverride two("option-override-test", "2");
    EXPECT_EQ(number, 3);
  }
  EXPECT_EQ(number, 3);
}

TEST(OptionOverride, IgnoresUnknownOptions) {
  OptionOverride none("option-override-unknown", "1");
}
