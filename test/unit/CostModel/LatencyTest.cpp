//===- LatencyTest.cpp - labels, losses and discrepancies -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/LatencyScale.h"
#include "pruner/CostModel/MomentDiscrepancy.h"
#include "pruner/CostModel/PositionalEncoding.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace pruner;

/// Times whose logarithms, or roots for another power, are normally
/// distributed.
static std::vector<double> times(double power, std::size_t count = 2000) {
  std::mt19937_64 engine(1);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int n = 0; n < 12; ++n)
      sum += double(engine() >> 11) * 0x1p-53 - 0.5;
    double u = sum;
    seconds.push_back(
        1e-4 * (power == 0 ? std::exp(1.5 * u) : std::pow(10 + u, 1 / power)));
  }
  return seconds;
}

TEST(LatencyScale, InvertsToSeconds) {
  for (double power : {0.0, 0.5, -0.3}) {
    std::vector<double> seconds = times(power);
    LatencyScale scale = LatencyScale::of(seconds);
    EXPECT_TRUE(scale.isValid());
    double mean = 0, variance = 0;
    for (double x : seconds) {
      EXPECT_NEAR(scale.seconds(scale.label(x)), x, 1e-9 * x);
      mean += scale.label(x) / double(seconds.size());
    }
    for (double x : seconds)
      variance += std::pow(scale.label(x) - mean, 2) / double(seconds.size());
    EXPECT_NEAR(mean, 0, 1e-9);
    EXPECT_NEAR(variance, 1, 1e-9);
  }
}

// The exponent that generated the sample maximizes the likelihood among its
// neighbors.
TEST(LatencyScale, FindsTheLikeliestExponent) {
  std::vector<double> seconds = times(0);
  LatencyScale scale = LatencyScale::of(seconds);
  EXPECT_NEAR(scale.lambda, 0, 0.05);
  std::vector<double> logarithms;
  for (double x : seconds)
    logarithms.push_back(std::log(x / scale.scale));
  double best = boxCoxLikelihood(logarithms, scale.lambda);
  for (double other : {-1.0, -0.1, 0.1, 1.0})
    EXPECT_GT(best, boxCoxLikelihood(logarithms, scale.lambda + other));
  // Three numbers by hand: the variance of the logarithms of 1/e, 1 and e.
  EXPECT_NEAR(boxCoxLikelihood({-1, 0, 1}, 0), -1.5 * std::log(2.0 / 3), 1e-12);
  // u is 2 (sqrt x - 1): for x = 1 and 4, 0 and 2, with the variance 1.
  EXPECT_NEAR(boxCoxLikelihood({0, std::log(4.0)}, 0.5), -0.5 * std::log(4.0),
              1e-12);
}

TEST(LatencyScale, StaysWithinItsBounds) {
  for (double power : {0.0, 0.5, -0.3}) {
    std::vector<double> seconds = times(power);
    LatencyScale scale = LatencyScale::of(seconds);
    for (double label : {-1e3, -50.0, 50.0, 1e3}) {
      EXPECT_GE(scale.seconds(label), scale.lowest);
      EXPECT_LE(scale.seconds(label), scale.highest);
    }
    EXPECT_LT(scale.seconds(-1e3), scale.seconds(1e3));
  }
  LatencyScale one = LatencyScale::of({2e-3, 2e-3});
  EXPECT_TRUE(one.isValid());
  EXPECT_DOUBLE_EQ(one.seconds(one.label(2e-3)), 2e-3);
}

TEST(LatencyScale, LossGradientEqualsFiniteDifferences) {
  LatencyScale scale = LatencyScale::of(times(-0.3));
  std::vector<double> seconds = {1e-6, 8e-5, 1.2e-4, 3e-4};
  for (double &x : seconds)
    x = scale.scale * x / 1e-4;
  std::vector<float> predicted = {-0.5f, 0.25f, 1, -1}, gradient, unused;
  double loss = hybridLoss(scale, predicted, seconds, 0.7, gradient);
  double expected = 0;
  for (std::size_t i = 0; i < 4; ++i)
    expected += (std::pow(predicted[i] - scale.label(seconds[i]), 2) +
                 0.7 * std::fabs(scale.seconds(predicted[i]) - seconds[i]) /
                     seconds[i]) /
                4;
  EXPECT_NEAR(loss, expected, 1e-12 * expected);
  for (std::size_t i = 0; i < 4; ++i) {
    const float step = 0x1p-10f;
    auto up = predicted, down = predicted;
    up[i] += step;
    down[i] -= step;
    double slope = (hybridLoss(scale, up, seconds, 0.7, unused) -
                    hybridLoss(scale, down, seconds, 0.7, unused)) /
                   (2 * step);
    EXPECT_NEAR(gradient[i], slope, 1e-3 * (1 + std::fabs(slope))) << i;
  }
  EXPECT_TRUE(std::isinf(hybridLoss(scale, {NAN}, {1e-4}, 1, unused)));
}

TEST(MomentDiscrepancy, IsZeroForEqualSamples) {
  std::vector<float> a = {0.1f, -0.5f, 0.7f, 0.2f, -0.9f, 0.4f}, ga, gb;
  EXPECT_EQ(momentDiscrepancy(a, a, 2, 2, ga, gb), 0);
  EXPECT_EQ(ga, std::vector<float>(6, 0));
  // The order of the rows does not matter, nor how often each comes.
  std::vector<float> b = {0.7f, 0.2f, -0.9f, 0.4f, 0.1f, -0.5f};
  b.insert(b.end(), a.begin(), a.end());
  EXPECT_NEAR(momentDiscrepancy(a, b, 2, 2, ga, gb), 0, 1e-6);
}

// One column of -1 and 1 has the central moments 1, 0, 1, 0; of 0 and 0 none.
// Both have the mean 0. Shifted by 1/2 only the mean differs.
TEST(MomentDiscrepancy, HasTheValuesOfTwoPoints) {
  std::vector<float> a = {-1, 1}, b = {0, 0}, ga, gb;
  EXPECT_NEAR(momentDiscrepancy(a, b, 1, 2, ga, gb), 1.0 / 4 + 1.0 / 16, 1e-12);
  EXPECT_NEAR(momentDiscrepancy(a, b, 1, 1, ga, gb), 2, 1e-12);
  EXPECT_NEAR(momentDiscrepancy(b, {0.5f}, 1, 2, ga, gb), 0.25, 1e-12);
  // 0, 0, 1 against its mean: moments 2/9, 2/27, 2/27, 10/243.
  EXPECT_NEAR(momentDiscrepancy({0, 0, 1}, {1.0f / 3}, 1, 1, ga, gb),
              2.0 / 9 + 2.0 / 27 + 2.0 / 27 + 10.0 / 243, 1e-6);
  // Two columns that differ by 3 and 4 in their means.
  EXPECT_NEAR(momentDiscrepancy({0, 0}, {3, 4}, 2, 10, ga, gb), 0.5, 1e-12);
}

TEST(MomentDiscrepancy, GradientEqualsFiniteDifferences) {
  std::vector<float> a = {0.1f, -0.5f, 0.7f, 0.2f, -0.9f, 0.4f};
  std::vector<float> b = {0.3f, 0.1f, -0.4f, 0.8f}, ga, gb, unused;
  momentDiscrepancy(a, b, 2, 2, ga, gb);
  const float step = 0x1p-9f;
  for (auto [sample, gradient] : {std::pair(&a, &ga), {&b, &gb}})
    for (std::size_t i = 0; i < sample->size(); ++i) {
      std::vector<float> unusedA, unusedB;
      float value = (*sample)[i];
      (*sample)[i] = value + step;
      double up = momentDiscrepancy(a, b, 2, 2, unusedA, unusedB);
      (*sample)[i] = value - step;
      double down = momentDiscrepancy(a, b, 2, 2, unusedA, unusedB);
      (*sample)[i] = value;
      EXPECT_NEAR((*gradient)[i], (up - down) / (2 * step), 2e-4);
    }
}

// Sine and cosine of one frequency each, with the paper's exponent, not twice
// it.
TEST(PositionalEncoding, EqualsThePaper) {
  EXPECT_EQ(positionalEncoding(0, 0, 164), 0);
  EXPECT_EQ(positionalEncoding(0, 1, 164), 1);
  EXPECT_DOUBLE_EQ(positionalEncoding(3, 0, 164), std::sin(3.0));
  EXPECT_DOUBLE_EQ(positionalEncoding(3, 1, 164), std::cos(3.0));
  EXPECT_DOUBLE_EQ(positionalEncoding(5, 2, 4), std::sin(5.0 / 100));
  EXPECT_DOUBLE_EQ(positionalEncoding(5, 3, 4), std::cos(5.0 / 100));
  EXPECT_DOUBLE_EQ(positionalEncoding(7, 82, 164), std::sin(7.0 / 100));
}
