//===- BoundedRowsTest.cpp - norms and softmax near their bounds ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedTask.h"

using namespace pruner;

namespace {
class BoundedRowsTest : public BoundedTaskTest {};
} // namespace

static std::string layerNorm(int m, int n) {
  std::string text = std::string(maps) + "func.func @norm(%x: " + rows(m, n) +
                     ") -> " + rows(m, n) + " {\n" + prologue(m, n) +
                     "  %n = arith.constant " + std::to_string(n) +
                     ".0 : f32\n  %eps = arith.constant 1.0e-5 : f32\n";
  text += generic("%s", m, n, {{"%x", false}}, "%z", true,
                  "    %1 = arith.addf %a0, %o : f32\n"
                  "    linalg.yield %1 : f32\n");
  text += generic("%d", m, n, {{"%x", false}, {"%s", true}}, "%e", false,
                  "    %1 = arith.divf %a1, %n : f32\n"
                  "    %2 = arith.subf %a0, %1 : f32\n"
                  "    linalg.yield %2 : f32\n");
  text += generic("%q", m, n, {{"%d", false}}, "%z", true,
                  "    %1 = arith.mulf %a0, %a0 : f32\n"
                  "    %2 = arith.addf %1, %o : f32\n"
                  "    linalg.yield %2 : f32\n");
  text += generic("%y", m, n, {{"%d", false}, {"%q", true}}, "%e", false,
                  "    %1 = arith.divf %a1, %n : f32\n"
                  "    %2 = arith.addf %1, %eps : f32\n"
                  "    %3 = math.rsqrt %2 : f32\n"
                  "    %4 = arith.mulf %a0, %3 : f32\n"
                  "    linalg.yield %4 : f32\n");
  return text + "  return %y : " + rows(m, n) + "\n}\n";
}

static std::string softmax(int m, int n) {
  std::string text = std::string(maps) + "func.func @soft(%x: " + rows(m, n) +
                     ") -> " + rows(m, n) + " {\n" + prologue(m, n);
  text += generic("%m", m, n, {{"%x", false}}, "%l", true,
                  "    %1 = arith.maximumf %a0, %o : f32\n"
                  "    linalg.yield %1 : f32\n");
  text += generic("%p", m, n, {{"%x", false}, {"%m", true}}, "%e", false,
                  "    %1 = arith.subf %a0, %a1 : f32\n"
                  "    %2 = math.exp %1 : f32\n    linalg.yield %2 : f32\n");
  text += generic("%s", m, n, {{"%p", false}}, "%z", true,
                  "    %1 = arith.addf %a0, %o : f32\n"
                  "    linalg.yield %1 : f32\n");
  text += generic("%y", m, n, {{"%p", false}, {"%s", true}}, "%e", false,
                  "    %1 = arith.divf %a0, %a1 : f32\n"
                  "    linalg.yield %1 : f32\n");
  return text + "  return %y : " + rows(m, n) + "\n}\n";
}

/// What a program for rows may get wrong.
struct Mistake {
  int columns = 1 << 30;    ///< Sum only so many.
  float variance = 1;       ///< A factor of it.
  float result = 1;         ///< A factor of the result.
  bool alternately = false; ///< Not wrong: add up two halves.
};

static float sumOf(int n, const Mistake &mistake,
                   const std::function<float(int)> &term) {
  float sums[2] = {0, 0};
  for (int j = 0; j < std::min(n, mistake.columns); ++j)
    sums[mistake.alternately ? j % 2 : 0] += term(j);
  return sums[0] + sums[1];
}

static Kernel normBy(int m, int n, Mistake mistake) {
  return [=](const std::vector<const float *> &in, float *out) {
    for (int i = 0; i < m; ++i) {
      const float *x = in[0] + i * n;
      float mean = sumOf(n, mistake, [&](int j) { return x[j]; }) / float(n);
      float squares = sumOf(
          n, mistake, [&](int j) { return (x[j] - mean) * (x[j] - mean); });
      float variance = mistake.variance * squares / float(n);
      for (int j = 0; j < n; ++j)
        out[i * n + j] =
            mistake.result * (x[j] - mean) * (1 / std::sqrt(variance + 1e-5f));
    }
  };
}

static Kernel softmaxBy(int m, int n, Mistake mistake) {
  return [=](const std::vector<const float *> &in, float *out) {
    for (int i = 0; i < m; ++i) {
      const float *x = in[0] + i * n;
      float most = -INFINITY;
      for (int j = 0; j < n; ++j)
        most =
            std::isnan(x[j]) || std::isnan(most) ? NAN : std::max(most, x[j]);
      float sum =
          sumOf(n, mistake, [&](int j) { return std::exp(x[j] - most); });
      for (int j = 0; j < n; ++j)
        out[i * n + j] = mistake.result * std::exp(x[j] - most) / sum;
    }
  };
}

TEST_F(BoundedRowsTest, NormsWithMistakesAreRefused) {
  int m = 16, n = 768;
  make(layerNorm(m, n));
  EXPECT_EQ(check(normBy(m, n, {})), "");
  EXPECT_EQ(check(normBy(m, n, {.alternately = true})), "");
  EXPECT_NE(check(normBy(m, n, {.columns = n - 1})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1.7f})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1 + 0x1p-10f})), "");
  EXPECT_NE(check(normBy(m, n, {.result = 1 + 0x1p-10f})), "");
}

TEST_F(BoundedRowsTest, LongNormsAreExactWhereTheirSumsAre) {
  // Rounding may hide one term among 65,536 of random size, but not where the
  // mean is exactly zero and the squares are small integers.
  int m = 2, n = 65536;
  make(layerNorm(m, n));
  EXPECT_EQ(check(normBy(m, n, {})), "");
  EXPECT_EQ(check(normBy(m, n, {.alternately = true})), "");
  EXPECT_NE(check(normBy(m, n, {.columns = n - 1})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1 + 0x1p-16f})), "");
}

TEST_F(BoundedRowsTest, SoftmaxWithMistakesIsRefused) {
  for (int n : {50, 4096, 65536}) {
    int m = n > 10000 ? 2 : 8;
    make(softmax(m, n));
    EXPECT_EQ(check(softmaxBy(m, n, {})), "");
    EXPECT_EQ(check(softmaxBy(m, n, {.alternately = true})), "");
    EXPECT_NE(check(softmaxBy(m, n, {.columns = n - 1})), "") << n;
    EXPECT_NE(check(softmaxBy(m, n, {.result = 1 + 0x1p-10f})), "") << n;
  }
}
