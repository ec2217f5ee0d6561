//===- PlanSizesTest.cpp - choose the function for each size --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/SpecializeShapes/Specialize.h"

#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace pruner;

namespace {
struct PlanSizesTest : public ::testing::Test {
  PlanSizesTest() { context.loadDialect<PrunerDialect>(); }
  RangeAttr range(int64_t min, int64_t max, ArrayRef<int64_t> sizes = {}) {
    return RangeAttr::get(&context, "n", min, max, sizes);
  }
  /// The sizes of the pieces of a call.
  static SmallVector<int64_t> pieces(int64_t n, ArrayRef<Interval> plan,
                                     ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> run;
    while (n > 0) {
      const auto *found = llvm::find_if(plan, [&](const Interval &each) {
        return each.from <= n && n <= each.to;
      });
      if (found == plan.end())
        return {};
      run.push_back(sizes[found->use]);
      n -= run.back();
    }
    return run;
  }
  MLIRContext context;
};

TEST_F(PlanSizesTest, WholeCallsGoToTheNextLarger) {
  auto plan = planSizes(range(3, 20), false, {4, 8, 16}, {1, 2, 3}, {1, 5, 16});
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0].from, 3);
  EXPECT_EQ(plan[0].to, 4);
  EXPECT_EQ(plan[1].from, 5);
  EXPECT_EQ(plan[1].to, 8);
  // 16 cannot be padded, and there is nothing beyond it.
  EXPECT_EQ(plan[2].from, 16);
  EXPECT_EQ(plan[2].to, 16);
}

TEST_F(PlanSizesTest, PiecesMinimizeTheSumOfTimes) {
  SmallVector<int64_t> sizes = {1, 4, 16};
  auto plan = planSizes(range(1, 40), true, sizes, {1.0, 1.5, 5.0}, {1, 1, 1});
  EXPECT_EQ(pieces(27, plan, sizes), (SmallVector<int64_t>{16, 4, 4, 4}));
  EXPECT_EQ(pieces(2, plan, sizes), (SmallVector<int64_t>{4}));
  EXPECT_EQ(pieces(1, plan, sizes), (SmallVector<int64_t>{1}));
}

/// For random times: each size is within the bound, if it is with all
/// candidates.
TEST_F(PlanSizesTest, ChosenSizesKeepTheBound) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const bool independent = trial % 2;
    const int64_t max = 1 + random() % 40;
    RangeAttr sizes = range(1 + random() % max, max);
    SmallVector<int64_t> candidates;
    std::vector<double> seconds(max + 1);
    for (int64_t n = 1; n <= max; ++n) {
      candidates.push_back(n);
      seconds[n] = seconds[n - 1] + double(random() % 100 + 1);
    }
    const double waste = double(random() % 50) / 100;
    SmallVector<int64_t> chosen =
        chooseSizes(sizes, independent, candidates, seconds, waste);
    SmallVector<double> own;
    for (int64_t size : chosen)
      own.push_back(seconds[size]);
    ASSERT_TRUE(llvm::is_sorted(chosen));
    auto planned = plannedSeconds(sizes, independent, chosen, own);
    for (int64_t n = sizes.getMin(); n <= max; ++n)
      EXPECT_LE(planned[n], (1 + waste) * seconds[n] * (1 + 1e-9));
    // Omitting any of them violates the bound.
    for (size_t k = 0; k < chosen.size() && chosen.size() > 1; ++k) {
      SmallVector<int64_t> fewer = chosen;
      SmallVector<double> times = own;
      fewer.erase(fewer.begin() + k);
      times.erase(times.begin() + k);
      auto without = plannedSeconds(sizes, independent, fewer, times);
      bool harmed = false;
      for (int64_t n = sizes.getMin(); n <= max; ++n)
        harmed |= without[n] > (1 + waste) * seconds[n] * (1 + 1e-12);
      EXPECT_TRUE(harmed) << chosen[k] << " of " << max;
    }
  }
}

TEST_F(PlanSizesTest, CallsAreInTheRange) {
  EXPECT_EQ(callsUpTo(3), (SmallVector<int64_t>{1, 2, 3}));
  EXPECT_EQ(callsUpTo(range(2, 9), 3, 6), (SmallVector<int64_t>{4, 5, 6}));
  EXPECT_EQ(callsUpTo(range(2, 8, {2, 5, 8}), 2, 8),
            (SmallVector<int64_t>{5, 8}));
}
} // namespace
