//===- PaddedDimTest.cpp - padding of a dimension -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PaddedDim.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace pruner;

/// The positions of the elements of a call of `n`, according to PaddedDim.
static std::set<int64_t> elements(const PaddedDim &dim, int64_t size,
                                  int64_t n) {
  std::set<int64_t> places;
  for (int64_t i = 0; i < dim.extent(); ++i)
    if (llvm::all_of(dim.strides, [&](int64_t s) { return i / s % size < n; }))
      places.insert(i);
  return places;
}

/// Random boxes with the size in some dimensions, collapsed to one dimension:
/// its positions are those of the elements of a smaller box in a larger one.
TEST(PaddedDimTest, CollapsedPlacesAreThoseOfTheElements) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    const int64_t size = 2 + random() % 4;
    SizeTable calls;
    for (int64_t n = 1; n <= size; ++n)
      calls.push_back(n);
    SmallVector<PaddedDim> dims(1 + random() % 4);
    SmallVector<SizeTable> extents;
    for (PaddedDim &dim : dims) {
      if (random() % 2) {
        dim.extents = calls;
        dim.strides = {1};
      } else {
        dim.extents.assign(size, 1 + random() % 3);
      }
      extents.push_back(dim.extents);
    }
    FailureOr<PaddedDim> all = collapse(dims, calls);
    ASSERT_TRUE(succeeded(all));
    for (int64_t n = 1; n <= size; ++n) {
      std::set<int64_t> expected;
      for (int64_t i = 0; i < all->extent(); ++i) {
        int64_t rest = i;
        bool is = true;
        for (const PaddedDim &dim : llvm::reverse(dims)) {
          is &= rest % dim.extent() < dim.extents[n - 1];
          rest /= dim.extent();
        }
        if (is)
          expected.insert(i);
      }
      EXPECT_EQ(elements(*all, size, n), expected);
      EXPECT_EQ(int64_t(expected.size()), all->extents[n - 1]);
    }
    // The inverse.
    auto again = expand(*all, extents, size);
    ASSERT_TRUE(succeeded(again));
    EXPECT_EQ(*again, dims);
  }
}

TEST(PaddedDimTest, MixedPaddingIsRejected) {
  SizeTable calls = {1, 2, 3, 4};
  PaddedDim dim;
  dim.extents = calls;
  dim.strides = {1};
  // 4 as 2 x 2.
  EXPECT_TRUE(failed(expand(dim, {SizeTable(4, 2), SizeTable(4, 2)}, 4)));
  // n + 1 is not a multiple of n.
  EXPECT_TRUE(failed(prefixDim({2, 3, 4, 5}, calls)));
  PaddedDim filled;
  filled.extents = {2, 4, 6, 8};
  filled.uniform = true;
  auto known = resolve(filled, calls);
  ASSERT_TRUE(succeeded(known));
  EXPECT_EQ(known->strides, (SmallVector<int64_t, 2>{2}));
  EXPECT_TRUE(known->isPrefix(4));
}
