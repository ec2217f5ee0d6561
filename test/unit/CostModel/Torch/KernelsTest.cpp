//===- KernelsTest.cpp - kernels of the networks, with gradients ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"
#include "../TestData.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;
using pruner_test::uniform;

static constexpr int S = kDataflowSteps;

static std::vector<float> randomArray(std::size_t size, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<float> values(size);
  for (float &value : values)
    value = 2 * uniform(engine) - 1;
  return values;
}

/// The definition, for one program: sum over t and s of A[t][s] h_s per head.
static std::vector<double> naivePool(const std::vector<double> &queryKey,
                                     const std::vector<double> &steps) {
  std::vector<double> pooled(kHeads * kFlowWidth, 0.0);
  for (int head = 0; head < kHeads; ++head)
    for (int t = 0; t < S; ++t) {
      double weight[S], total = 0;
      for (int s = 0; s < S; ++s) {
        double dot = 0;
        for (int d = 0; d < kHeadSize; ++d)
          dot +=
              queryKey[t * 2 * kFlowWidth + head * kHeadSize + d] *
              queryKey[s * 2 * kFlowWidth + kFlowWidth + head * kHeadSize + d];
        weight[s] = std::exp(dot / std::sqrt(double(kHeadSize)));
        total += weight[s];
      }
      for (int s = 0; s < S; ++s)
        for (int d = 0; d < kFlowWidth; ++d)
          pooled[head * kFlowWidth + d] +=
              weight[s] / total * steps[s * kFlowWidth + d];
    }
  return pooled;
}

TEST(Kernels, AttentionPoolEqualsItsDefinition) {
  const std::size_t programs = 3, qk = S * 2 * kFlowWidth, h = S * kFlowWidth;
  auto queryKey = randomArray(programs * qk, 1),
       steps = randomArray(programs * h, 2);
  std::vector<float> pooled(programs * kHeads * kFlowWidth);
  attentionPool(queryKey.data(), steps.data(), programs, pooled.data());
  for (std::size_t p = 0; p < programs; ++p) {
    auto expected =
        naivePool({queryKey.begin() + p * qk, queryKey.begin() + (p + 1) * qk},
                  {steps.begin() + p * h, steps.begin() + (p + 1) * h});
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(expected[i], pooled[p * expected.size() + i], 2e-5);
  }
}

TEST(Kernels, AttentionPoolGradientEqualsFiniteDifferences) {
  auto queryKey = randomArray(2 * S * 2 * kFlowWidth, 3);
  auto steps = randomArray(2 * S * kFlowWidth, 4);
  auto grad = randomArray(2 * kHeads * kFlowWidth, 5);
  std::vector<float> gradQueryKey(queryKey.size(), NAN),
      gradSteps(steps.size(), NAN);
  attentionPoolBackward(queryKey.data(), steps.data(), 2, grad.data(),
                        gradQueryKey.data(), gradSteps.data());
  // The second program, so that offsets are covered.
  std::vector<double> qk(queryKey.begin() + S * 2 * kFlowWidth, queryKey.end());
  std::vector<double> h(steps.begin() + S * kFlowWidth, steps.end());
  const float *g = grad.data() + kHeads * kFlowWidth;
  auto value = [&] {
    auto pooled = naivePool(qk, h);
    double sum = 0;
    for (std::size_t i = 0; i < pooled.size(); ++i)
      sum += g[i] * pooled[i];
    return sum;
  };
  auto derivative = [&](double &x) {
    const double at = x, step = 1e-5;
    x = at + step;
    double up = value();
    x = at - step;
    double down = value();
    x = at;
    return (up - down) / (2 * step);
  };
  for (std::size_t i = 0; i < qk.size(); i += 37)
    EXPECT_NEAR(derivative(qk[i]), gradQueryKey[qk.size() + i], 1e-4) << i;
  for (std::size_t i = 0; i < h.size(); i += 29)
    EXPECT_NEAR(derivative(h[i]), gradSteps[h.size() + i], 1e-4) << i;
}

TEST(Kernels, SumPositiveRows) {
  const std::vector<float> rows = {1, -2, 3, 4, -5, 6, 7, 8, -9, -1, -1, -1};
  const std::vector<std::int64_t> offsets = {0, 2, 2, 4};
  std::vector<float> out(3 * 4, 99.0f);
  sumPositiveRows(rows.data(), offsets.data(), 3, 3, nullptr, out.data(), 4);
  EXPECT_EQ((std::vector<float>{5, 0, 9, 99, 0, 0, 0, 99, 7, 8, 0, 99}), out);
  const std::vector<float> bias = {-1, 3, 0};
  sumPositiveRows(rows.data(), offsets.data(), 3, 3, bias.data(), out.data(),
                  4);
  EXPECT_EQ((std::vector<float>{3, 1, 9, 99, 0, 0, 0, 99, 6, 13, 0, 99}), out);
  const std::vector<float> grad = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<float> gradRows(12, NAN);
  sumPositiveRowsBackward(rows.data(), offsets.data(), 3, 3, grad.data(),
                          gradRows.data());
  EXPECT_EQ((std::vector<float>{1, 0, 3, 1, 0, 3, 7, 8, 0, 0, 0, 0}), gradRows);
}

TEST(Kernels, BiasAndResidual) {
  const std::vector<float> bias = {1, -1, 0};
  std::vector<float> x = {-2, 3, 4, 0, 1, -1};
  addBiasRelu(x.data(), 2, 3, bias.data());
  EXPECT_EQ((std::vector<float>{0, 2, 4, 1, 0, 0}), x);
  const std::vector<float> y = {1, 1, 1, -3, 2, -2};
  addPositive(x.data(), y.data(), 2, 3, bias.data());
  EXPECT_EQ((std::vector<float>{2, 2, 5, 1, 1, 0}), x);
}

TEST(Kernels, ConstantColumns) {
  const std::vector<float> rows = {1, 0, 5, 1, 2, 5, 1, 0, 6};
  unsigned char isConstant[3];
  findConstantColumns(rows.data(), 3, 3, isConstant);
  EXPECT_EQ(1, isConstant[0]);
  EXPECT_EQ(0, isConstant[1]);
  EXPECT_EQ(0, isConstant[2]);
  findConstantColumns(rows.data(), 1, 3, isConstant);
  EXPECT_EQ(1, isConstant[1]);
}
