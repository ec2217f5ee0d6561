//===- BoosterTest.cpp - evaluation of XGBoost's trees --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Booster.h"

#include "pruner/CostModel/BoostedTrees.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace pruner;

static constexpr std::size_t kColumns = 12;

static std::vector<float> randomRows(std::size_t rows, unsigned seed,
                                     bool holes) {
  std::mt19937 random(seed);
  std::normal_distribution<float> draw(0, 4);
  std::vector<float> values(rows * kColumns);
  for (float &value : values) {
    value = random() % 3 ? draw(random) : std::round(draw(random));
    if (holes && random() % 10 == 0)
      value = std::nanf("");
  }
  return values;
}

// Bit-exact for any depth, and for missing values.
TEST(Booster, ArraysPredictLikeXgboost) {
  for (int depth : {1, 3, 7, 12})
    for (bool holes : {false, true}) {
      std::vector<float> values = randomRows(2000, unsigned(depth), holes);
      TreeGrowth growth;
      growth.values = &values;
      growth.columns = kColumns;
      growth.rounds = 60;
      growth.depth = depth;
      growth.loss = [&](int, const std::vector<float> &margins,
                        std::vector<float> &gradient,
                        std::vector<float> &hessian) {
        gradient.resize(margins.size());
        hessian.assign(margins.size(), 1);
        for (std::size_t row = 0; row < margins.size(); ++row) {
          const float *x = &values[row * kColumns];
          float wanted = std::isnan(x[0]) ? 3 : x[0] * std::sin(x[1]) + x[2];
          gradient[row] = margins[row] - (std::isnan(wanted) ? 0 : wanted);
        }
      };
      Booster booster;
      ASSERT_EQ(booster.train(growth), "");
      BoostedTrees trees;
      ASSERT_EQ(booster.trees(trees), "");
      EXPECT_EQ(trees.trees(), 60u);
      EXPECT_EQ(trees.columns, std::int32_t(kColumns));
      std::vector<float> others = randomRows(3000, 99, true), margins;
      // Values equal to a threshold go right.
      for (std::size_t n = 0; n < trees.nodes(); ++n)
        if (trees.feature[n] >= 0)
          others[n % 3000 * kColumns + std::size_t(trees.feature[n])] =
              trees.value[n];
      ASSERT_EQ(booster.predict(others, kColumns, margins), "");
      EXPECT_EQ(trees.predict(others.data(), 3000), margins);
    }
}
