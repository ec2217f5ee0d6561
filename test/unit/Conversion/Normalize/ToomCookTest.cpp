//===- ToomCookTest.cpp - the matrices of short convolutions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ToomCook.h"

#include "gtest/gtest.h"

using namespace pruner;
using mlir::presburger::Fraction;

/// Whether a float of any type holds `value`, if its exponent fits.
static bool isDyadic(const Fraction &value) {
  int64_t den = int64_t(value.den);
  return den > 0 && (den & (den - 1)) == 0;
}

/// Results and coefficients of every size for which there are points.
template <typename Check> static void forAllSizes(Check check) {
  for (int64_t m = 1; m <= ToomCook::kMostProducts; ++m)
    for (int64_t r = 1; m + r - 1 <= ToomCook::kMostProducts; ++r) {
      SCOPED_TRACE("F(" + std::to_string(m) + ", " + std::to_string(r) + ")");
      check(m, r, ToomCook::create(m, r));
    }
}

TEST(ToomCookTest, computesTheConvolutionExactly) {
  forAllSizes([](int64_t m, int64_t r, const ToomCook &matrices) {
    int64_t n = m + r - 1;
    ASSERT_EQ(matrices.output.size(), size_t(n));
    ASSERT_EQ(matrices.filter.size(), size_t(n));
    ASSERT_EQ(matrices.input.size(), size_t(n));
    // The factor of g[w] d[j] in y[k] is 1 if j = k + w, and 0 otherwise.
    for (int64_t k = 0; k < m; ++k)
      for (int64_t w = 0; w < r; ++w)
        for (int64_t j = 0; j < n; ++j) {
          Fraction factor(0);
          for (int64_t i = 0; i < n; ++i)
            factor = factor + matrices.output[i][k] * matrices.filter[i][w] *
                                  matrices.input[i][j];
          EXPECT_TRUE(factor == Fraction(j == k + w)) << k << w << j;
        }
  });
}

TEST(ToomCookTest, roundsOnlyTheMatrixOfTheFilter) {
  forAllSizes([](int64_t, int64_t, const ToomCook &matrices) {
    for (const ToomCook::Matrix *matrix : {&matrices.output, &matrices.input})
      for (const std::vector<Fraction> &row : *matrix)
        for (const Fraction &entry : row)
          EXPECT_TRUE(isDyadic(entry));
  });
}

TEST(ToomCookTest, integersForFourResultsOfThreeCoefficients) {
  ToomCook matrices = ToomCook::create(4, 3);
  int64_t input[6][6] = {{4, 0, -5, 0, 1, 0},  {0, -4, -4, 1, 1, 0},
                         {0, 4, -4, -1, 1, 0}, {0, -2, -1, 2, 1, 0},
                         {0, 2, -1, -2, 1, 0}, {0, 4, 0, -5, 0, 1}};
  for (int64_t i = 0; i < 6; ++i)
    for (int64_t j = 0; j < 6; ++j)
      EXPECT_TRUE(matrices.input[i][j] == Fraction(input[i][j])) << i << j;
  EXPECT_TRUE(matrices.filter[3][0] == Fraction(1, 24));
}
