//===- SizesTest.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Sizes.h"

#include "gtest/gtest.h"

using namespace pruner;

TEST(Sizes, SaturateAtTheLargestNumber) {
  EXPECT_EQ(mulSizes(6, 7), 42);
  EXPECT_EQ(mulSizes(int64_t(1) << 31, int64_t(1) << 31), int64_t(1) << 62);
  // 2^64 would be 0, and 96 times the largest number -96.
  EXPECT_EQ(mulSizes(int64_t(1) << 32, int64_t(1) << 32), kHugeSize);
  EXPECT_EQ(mulSizes(kHugeSize, 96), kHugeSize);
  EXPECT_EQ(mulSizes(kHugeSize, 0), 0);
  EXPECT_EQ(addSizes(kHugeSize - 1, 1), kHugeSize);
  EXPECT_EQ(addSizes(kHugeSize, kHugeSize), kHugeSize);
}

TEST(Sizes, OfBoxes) {
  EXPECT_EQ(boxSize({}), 1);
  EXPECT_EQ(boxSize({2, 3, 5}), 30);
  EXPECT_EQ(boxSize({int64_t(1) << 62, 4}), kHugeSize);
  // An empty box, with the extents in any order.
  EXPECT_EQ(boxSize({int64_t(1) << 62, 4, 0}), 0);
  EXPECT_EQ(boxSize({0, int64_t(1) << 62, 4}), 0);
}
