//===- BorderSearchTest.cpp - values next to borders ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BorderSearch.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace pruner;

// Nothing is below the lowest number or above the highest.
TEST(BorderSearch, StaysNextToBordersAtTheEndsOfAType) {
  mlir::MLIRContext context;
  auto type = mlir::IntegerType::get(&context, 64);
  for (int64_t end : {INT64_MIN, INT64_MAX}) {
    auto decide = [&](Scalar value) -> std::optional<uint64_t> {
      return value.integer == end;
    };
    ElementStream random(1);
    BorderSearch search(type, 0x1p63, decide, {}, random);
    for (int n = 0; n < 100; ++n) {
      std::optional<Scalar> found = search.find(6 * n + 2);
      ASSERT_TRUE(found);
      // Two steps away at most.
      EXPECT_LE(uint64_t(found->integer) - uint64_t(end) + 2, 4u)
          << found->integer;
      EXPECT_EQ(found->integer < 0, end < 0);
    }
  }
}
