//===- LinalgToLoopsTest.cpp - the path of references computes correctly --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PipelineFixture.h"

#include <cmath>

using namespace pruner;
using namespace pruner::test;

namespace {
class LinalgToLoopsTest : public PipelineFixture {
protected:
  std::unique_ptr<JitModule> compilePlain(const char *source) {
    return compile(source, buildLinalgToLoopsPipeline);
  }
};
} // namespace

TEST_F(LinalgToLoopsTest, MatmulWithBiasIsExactOnIntegers) {
  auto jit = compilePlain(R"(
    #row = affine_map<(d0, d1) -> (d1)>
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @task(%a: tensor<5x7xf32>, %b: tensor<7x11xf32>,
                    %bias: tensor<11xf32>) -> tensor<5x11xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<5x11xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x11xf32>) -> tensor<5x11xf32>
      %m = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x11xf32>)
                         outs(%f : tensor<5x11xf32>) -> tensor<5x11xf32>
      %r = linalg.generic {indexing_maps = [#id, #row, #id],
                           iterator_types = ["parallel", "parallel"]}
          ins(%m, %bias : tensor<5x11xf32>, tensor<11xf32>)
          outs(%e : tensor<5x11xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %s = arith.addf %x, %y : f32
        linalg.yield %s : f32
      } -> tensor<5x11xf32>
      return %r : tensor<5x11xf32>
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> a(5 * 7), b(7 * 11), bias(11), c(5 * 11, NAN);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = int(i * 5 % 17) - 8;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = int(i * 3 % 17) - 8;
  for (size_t i = 0; i < bias.size(); ++i)
    bias[i] = int(i) - 5;
  function<void(float *, float *, float *, float *)>(*jit, "task")(
      a.data(), b.data(), bias.data(), c.data());
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 11; ++j) {
      int sum = bias[j];
      for (int k = 0; k < 7; ++k)
        sum += int(a[i * 7 + k]) * int(b[k * 11 + j]);
      EXPECT_EQ(c[i * 11 + j], float(sum)) << i << ", " << j;
    }
}

// Arguments are read only, even if a result could overwrite one. Every result
// has its own pointer, even if two are equal or one is an argument.
TEST_F(LinalgToLoopsTest, TheSignatureFollowsFromTheTypes) {
  auto jit = compilePlain(R"(
    func.func @task(%c: tensor<4xf32>, %s: f32)
        -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %0 = linalg.fill ins(%s : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
      %1 = linalg.add ins(%0, %0 : tensor<4xf32>, tensor<4xf32>)
                      outs(%c : tensor<4xf32>) -> tensor<4xf32>
      return %1, %c, %1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> c(4, 5), x(4, NAN), y(4, NAN), z(4, NAN);
  function<void(float *, float, float *, float *, float *)>(*jit, "task")(
      c.data(), 3, x.data(), y.data(), z.data());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(c[i], 5);
    EXPECT_EQ(x[i], 6);
    EXPECT_EQ(y[i], 5);
    EXPECT_EQ(z[i], 6);
  }
}

// Functions come from the C library, so errors are about one ulp.
TEST_F(LinalgToLoopsTest, MathCallsTheLibrary) {
  auto jit = compilePlain(R"(
    func.func @task(%x: tensor<16xf32>) -> tensor<16xf32> {
      %e = tensor.empty() : tensor<16xf32>
      %0 = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      %1 = linalg.erf ins(%0 : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      %2 = linalg.tanh ins(%1 : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
      return %2 : tensor<16xf32>
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> x(16), y(16);
  for (int i = 0; i < 16; ++i)
    x[i] = -3.0f + 0.25f * i;
  function<void(float *, float *)>(*jit, "task")(x.data(), y.data());
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(y[i], std::tanh(std::erf(std::exp(x[i]))));
}

TEST_F(LinalgToLoopsTest, ConvolutionPoolingAndConstants) {
  auto jit = compilePlain(R"(
    func.func @task(%x: tensor<1x2x6x6xf32>) -> tensor<1x3x2x2xf32> {
      %zero = arith.constant 0.0 : f32
      %low = arith.constant -1.0e30 : f32
      %w = arith.constant dense<2.0> : tensor<3x2x3x3xf32>
      %e = tensor.empty() : tensor<1x3x4x4xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
      %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>)
             outs(%f : tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
      %pe = tensor.empty() : tensor<1x3x2x2xf32>
      %pf = linalg.fill ins(%low : f32) outs(%pe : tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
      %k = tensor.empty() : tensor<2x2xf32>
      %p = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
             ins(%c, %k : tensor<1x3x4x4xf32>, tensor<2x2xf32>)
             outs(%pf : tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
      return %p : tensor<1x3x2x2xf32>
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> x(72), y(12, NAN);
  for (int i = 0; i < 72; ++i)
    x[i] = i * 7 % 13 - 6;
  function<void(float *, float *)>(*jit, "task")(x.data(), y.data());
  auto conv = [&](int h, int w) {
    float sum = 0;
    for (int c = 0; c < 2; ++c)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sum += 2 * x[c * 36 + (h + i) * 6 + w + j];
    return sum;
  };
  for (int f = 0; f < 3; ++f)
    for (int h = 0; h < 2; ++h)
      for (int w = 0; w < 2; ++w)
        EXPECT_EQ(
            y[f * 4 + h * 2 + w],
            std::max({conv(2 * h, 2 * w), conv(2 * h, 2 * w + 1),
                      conv(2 * h + 1, 2 * w), conv(2 * h + 1, 2 * w + 1)}));
}

TEST_F(LinalgToLoopsTest, SoftmaxIsDecomposed) {
  auto jit = compilePlain(R"(
    func.func @task(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %e = tensor.empty() : tensor<3x5xf32>
      %0 = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>)
             outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %0 : tensor<3x5xf32>
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> x(15), y(15, NAN);
  for (int i = 0; i < 15; ++i)
    x[i] = (i * 7 % 11) - 5;
  function<void(float *, float *)>(*jit, "task")(x.data(), y.data());
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 5; ++j)
      sum += std::exp(double(x[i * 5 + j]));
    for (int j = 0; j < 5; ++j)
      EXPECT_NEAR(y[i * 5 + j], std::exp(double(x[i * 5 + j])) / sum, 1e-6);
  }
}
