//===- MosesTest.cpp - importances and domain classifier of Moses ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Moses.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;

using Marks = std::vector<std::uint8_t>;

// y = c relu(a x + b) of x = 1 with a = 2, b = 1, c = 3 is 9. The gradient of
// the loss (y - 4)^2 / 2 by y is 5, so by c 5 * 3, by a and b 5 * 3 * 1.
TEST(Moses, BoundaryOfATinyNetwork) {
  const float weights[] = {2, 1, 3}, gradients[] = {15, 15, 15};
  std::vector<float> xi = importances(weights, gradients, 3);
  EXPECT_EQ(xi, (std::vector<float>{30, 15, 45}));
  EXPECT_EQ(largestShare(xi, 1. / 3), (Marks{0, 0, 1}));
  EXPECT_EQ(largestShare(xi, 2. / 3), (Marks{1, 0, 1}));
  EXPECT_EQ(largestShare(xi, 1), (Marks{1, 1, 1}));
}

TEST(Moses, SignsDoNotMatterAndTiesGoToTheFirst) {
  const float weights[] = {2, -3, 0.5f, 0, -1},
              gradients[] = {0.5f, 1, -4, 9, 1};
  std::vector<float> xi = importances(weights, gradients, 5);
  EXPECT_EQ(xi, (std::vector<float>{1, 3, 2, 0, 1}));
  EXPECT_EQ(largestShare(xi, 0.6), (Marks{1, 1, 1, 0, 0}));
  // At least one is transferable.
  EXPECT_EQ(largestShare(xi, 0), (Marks{0, 1, 0, 0, 0}));
  EXPECT_EQ(largestShare({}, 0.5), Marks());
}

// Rows of the source are -1 and 1: mean 0, deviation 1. From weight 0 every
// probability is 1/2; the slope of the weight over the two rows of each domain
// is (2 * (-1/2) * 3 + 1/2 * (-1) + 1/2 * 1) / 4 = -3/4.
TEST(Moses, DomainClassifierTakesStepsAndReversesGradients) {
  const float source[] = {-1, 1}, target[] = {3, 3};
  DomainClassifier classifier(source, 2, 1, /*learningRate=*/0.05);
  std::vector<float> gradient;
  EXPECT_NEAR(classifier.step(target, 2, 1, gradient), std::log(2), 1e-12);
  EXPECT_EQ(gradient, (std::vector<float>{0, 0}));
  const double weight = 0.05 * 0.75, p = 1 / (1 + std::exp(-3 * weight));
  EXPECT_NEAR(classifier.probability(target), p, 1e-12);
  // The loss falls if the target's rows grow. The gradient for the network is
  // the opposite, and twice that for twice the reversal.
  DomainClassifier other = classifier;
  classifier.step(target, 2, 1, gradient);
  EXPECT_NEAR(gradient[0], (1 - p) / 4 * weight, 1e-8);
  EXPECT_GT(gradient[0], 0);
  std::vector<float> twice;
  other.step(target, 2, 2, twice);
  EXPECT_FLOAT_EQ(twice[1], 2 * gradient[1]);
}

TEST(Moses, ReversedGradientConfusesTheClassifier) {
  std::vector<float> source, target;
  for (int i = 0; i < 40; ++i) {
    source.push_back(float(i % 7));
    source.push_back(float(i % 3));
    target.push_back(float(i % 7) + 8);
    target.push_back(float(i % 3) - 2);
  }
  DomainClassifier classifier(source.data(), 40, 2);
  std::vector<float> gradient;
  for (int i = 0; i < 400; ++i)
    classifier.step(target.data(), 40, 1, gradient);
  DomainClassifier learned = classifier, moved = classifier;
  double loss = learned.step(target.data(), 40, 1, gradient);
  EXPECT_LT(loss, 0.2);
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] -= 100 * gradient[i];
  EXPECT_GT(moved.step(target.data(), 40, 1, gradient), loss);
}
