//===- BoundedTaskTest.cpp - wrong results exceed the bounds --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each test computes the result of a task like a correct program, in the types
// of the task, and like wrong ones. All sets together must distinguish them.
//
//===----------------------------------------------------------------------===//

#include "../Measure/Tasks.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Verification/Reference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace pruner;

namespace {
using Kernel =
    std::function<void(const std::vector<const float *> &in, float *out)>;

class BoundedTaskTest : public testing::Test {
protected:
  BoundedTaskTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  void make(const std::string &text) {
    auto parsed = TaskProgram::parse(context, text);
    ASSERT_TRUE(bool(parsed)) << toString(parsed.takeError()) << text;
    task.emplace(std::move(*parsed));
    auto made = makeReference(*task, text, /*seed=*/7, "");
    ASSERT_TRUE(bool(made)) << toString(made.takeError()) << text;
    reference = std::move(*made);
  }

  /// The difference on the first set that detects one, or an empty text; f32.
  std::string check(const Kernel &kernel) {
    for (const ReferenceSet &set : reference.sets) {
      std::vector<const float *> in;
      for (const auto &input : set.inputs)
        in.push_back(reinterpret_cast<const float *>(input.data()));
      std::vector<float> got(task->outputs()[0].elements());
      kernel(in, got.data());
      double worst = 0;
      if (auto wrong = compareOutput(task->outputs()[0], got.data(),
                                     set.outputs[0], worst))
        return patternName(set.pattern).str() + ": " + *wrong;
    }
    return "";
  }

  mlir::MLIRContext context;
  std::optional<TaskProgram> task;
  Reference reference;
};
} // namespace

static std::string rows(int m, int n) {
  return "tensor<" + std::to_string(m) + "x" + std::to_string(n) + "xf32>";
}

static const char *const maps = "#id = affine_map<(i, j) -> (i, j)>\n"
                                "#row = affine_map<(i, j) -> (i)>\n";

/// A linalg.generic over m x n. `in` are pairs of a value and whether it has
/// one element per row. The result has one element per row if `reduces`.
static std::string generic(std::string name, int m, int n,
                           std::vector<std::pair<std::string, bool>> in,
                           std::string init, bool reduces, std::string body) {
  std::string column = "tensor<" + std::to_string(m) + "xf32>";
  std::string maps, values, types, arguments;
  for (auto &[value, isRow] : in) {
    maps += isRow ? "#row, " : "#id, ";
    values += (values.empty() ? "" : ", ") + value;
    types += (types.empty() ? "" : ", ") + (isRow ? column : rows(m, n));
    arguments += "%a" + std::to_string(&value - &in[0].first) + ": f32, ";
  }
  arguments.clear();
  for (size_t i = 0; i < in.size(); ++i)
    arguments += "%a" + std::to_string(i) + ": f32, ";
  std::string out = reduces ? column : rows(m, n);
  return "  " + name + " = linalg.generic {indexing_maps = [" + maps +
         (reduces ? "#row" : "#id") + "], iterator_types = [\"parallel\", \"" +
         (reduces ? "reduction" : "parallel") + "\"]} ins(" + values + " : " +
         types + ") outs(" + init + " : " + out + ") {\n  ^bb0(" + arguments +
         "%o: f32):\n" + body + "  } -> " + out + "\n";
}

static std::string prologue(int m, int n) {
  std::string column = "tensor<" + std::to_string(m) + "xf32>";
  return "  %e = tensor.empty() : " + rows(m, n) + "\n  %ec = tensor.empty() " +
         ": " + column +
         "\n  %zero = arith.constant 0.0 : f32\n"
         "  %least = arith.constant 0xFF800000 : f32\n"
         "  %z = linalg.fill ins(%zero : f32) outs(%ec : " +
         column + ") -> " + column +
         "\n  %l = linalg.fill ins(%least : f32) outs(%ec : " + column +
         ") -> " + column + "\n";
}

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

/// Possible mistakes of a program for rows.
struct Mistake {
  int columns = 1 << 30;    ///< Sum only this many.
  float variance = 1;       ///< A factor of the variance.
  float result = 1;         ///< A factor of the result.
  bool alternately = false; ///< Not wrong: add two halves.
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

TEST_F(BoundedTaskTest, NormsWithMistakesAreRejected) {
  int m = 16, n = 768;
  make(layerNorm(m, n));
  EXPECT_EQ(check(normBy(m, n, {})), "");
  EXPECT_EQ(check(normBy(m, n, {.alternately = true})), "");
  EXPECT_NE(check(normBy(m, n, {.columns = n - 1})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1.7f})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1 + 0x1p-10f})), "");
  EXPECT_NE(check(normBy(m, n, {.result = 1 + 0x1p-10f})), "");
}

TEST_F(BoundedTaskTest, LongNormsAreExactWhereTheirSumsAre) {
  // Rounding may hide one term among 65,536 of random size, but not if the mean
  // is exactly zero and the squares are small integers.
  int m = 2, n = 65536;
  make(layerNorm(m, n));
  EXPECT_EQ(check(normBy(m, n, {})), "");
  EXPECT_EQ(check(normBy(m, n, {.alternately = true})), "");
  EXPECT_NE(check(normBy(m, n, {.columns = n - 1})), "");
  EXPECT_NE(check(normBy(m, n, {.variance = 1 + 0x1p-16f})), "");
}

TEST_F(BoundedTaskTest, SoftmaxWithMistakesIsRejected) {
  for (int n : {50, 4096, 65536}) {
    int m = n > 10000 ? 2 : 8;
    make(softmax(m, n));
    EXPECT_EQ(check(softmaxBy(m, n, {})), "");
    EXPECT_EQ(check(softmaxBy(m, n, {.alternately = true})), "");
    EXPECT_NE(check(softmaxBy(m, n, {.columns = n - 1})), "") << n;
    EXPECT_NE(check(softmaxBy(m, n, {.result = 1 + 0x1p-10f})), "") << n;
  }
}

TEST_F(BoundedTaskTest, FunctionsOfNarrowTypes) {
  // tanh of f16: a factor of 1.45 is far outside of two ulp.
  make(mapTask(256, "    %y = math.tanh %a : f16\n    linalg.yield %y : f16\n",
               "1.0", "f16"));
  const TensorSpec &spec = task->outputs()[0];
  auto wrongSets = [&](double factor) {
    int wrong = 0;
    for (const ReferenceSet &set : reference.sets) {
      std::vector<uint8_t> got(spec.bytes());
      for (int64_t i = 0; i < spec.elements(); ++i)
        writeElement(got.data(), spec.type, i,
                     factor * std::tanh(readElement(set.inputs[0].data(),
                                                    spec.type, i)));
      double worst = 0;
      wrong += bool(compareOutput(spec, got.data(), set.outputs[0], worst));
    }
    return wrong;
  };
  EXPECT_EQ(wrongSets(1), 0);
  EXPECT_EQ(wrongSets(1.45), int(reference.sets.size()));
  EXPECT_EQ(wrongSets(1.01), int(reference.sets.size()));
}

/// q = int(roundeven(x / 0.1)) on f32, an i32.
static std::string quantize(int n) {
  std::string x = "tensor<" + std::to_string(n) + "xf32>",
              q = "tensor<" + std::to_string(n) + "xi32>";
  return "#id = affine_map<(d0) -> (d0)>\nfunc.func @quantize(%x: " + x +
         ") -> " + q + " {\n  %scale = arith.constant 0.1 : f32\n" +
         "  %e = tensor.empty() : " + q +
         "\n  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types "
         "= [\"parallel\"]} ins(%x : " +
         x + ") outs(%e : " + q +
         ") {\n  ^bb0(%a: f32, %o: i32):\n"
         "    %y = arith.divf %a, %scale : f32\n"
         "    %z = math.roundeven %y : f32\n"
         "    %i = arith.fptosi %z : f32 to i32\n"
         "    linalg.yield %i : i32\n  } -> " +
         q + "\n  return %r : " + q + "\n}\n";
}

TEST_F(BoundedTaskTest, IntegersDifferOnlyAtBorders) {
  make(quantize(100000));
  int open = 0;
  for (const ReferenceSet &set : reference.sets) {
    const ExpectedOutput &expected = set.outputs[0];
    ASSERT_EQ(expected.bound.size(), expected.want.size());
    for (size_t i = 0; i < expected.want.size(); ++i) {
      float x = reinterpret_cast<const float *>(set.inputs[0].data())[i];
      if (!std::isfinite(x) || std::fabs(x) > 1e5) {
        // No such integer, or both quotients convert to different ones.
        continue;
      }
      double scaled = double(x) / double(0.1f);
      double border =
          std::fabs(std::fabs(scaled - std::nearbyint(scaled)) - 0.5);
      // Within an ulp of the quotient.
      bool near = border <= std::ldexp(std::fabs(scaled), -23) * 1.01;
      if (expected.bound[i] > 0) {
        EXPECT_TRUE(near) << x << " " << scaled;
        EXPECT_EQ(expected.bound[i], 1);
        ++open;
      }
      EXPECT_LE(std::fabs(std::nearbyint(x / 0.1f) - expected.want[i]),
                expected.bound[i])
          << x;
    }
  }
  EXPECT_GT(open, 0);
  EXPECT_LT(open, 1000); // Of more than 400,000.
}

TEST_F(BoundedTaskTest, SelectionsMayGoEitherWayOnlyWhereTheyTie) {
  // (x + 0.1) - 0.1 > x ? 1 : 0 depends on rounding; x > 0 does not.
  make(mapTask(1024,
               "    %s = arith.addf %a, %c : f32\n"
               "    %d = arith.subf %s, %c : f32\n"
               "    %g = arith.cmpf ogt, %d, %a : f32\n"
               "    %y = arith.select %g, %c, %a : f32\n"
               "    linalg.yield %y : f32\n",
               "0.1"));
  const ExpectedOutput &real = reference.sets.back().outputs[0];
  int open = 0;
  for (size_t i = 0; i < real.want.size(); ++i) {
    float x = reinterpret_cast<const float *>(
        reference.sets.back().inputs[0].data())[i];
    double sum = double(x) + double(0.1f);
    if (sum == double(float(sum))) {
      EXPECT_EQ(real.bound[i], 0); // Nothing is rounded.
      continue;
    }
    EXPECT_GE(real.bound[i], std::fabs(double(0.1f) - x) * 0.999999);
    ++open;
  }
  EXPECT_GT(open, 256);
  make(mapTask(1024, "    %g = arith.cmpf ogt, %a, %c : f32\n"
                     "    %y = arith.select %g, %c, %a : f32\n"
                     "    linalg.yield %y : f32\n"));
  for (const ReferenceSet &set : reference.sets)
    EXPECT_TRUE(set.outputs[0].bound.empty());
}

TEST_F(BoundedTaskTest, MaskedScoresKeepTheirBounds) {
  // max(x, -1e30 + x) is x; the rounding of -1e30 + x does not affect it.
  make(mapTask(64,
               "    %s = arith.addf %a, %c : f32\n"
               "    %y = arith.maximumf %s, %a : f32\n"
               "    linalg.yield %y : f32\n",
               "-1.0e30"));
  for (double bound : reference.sets.back().outputs[0].bound)
    EXPECT_EQ(bound, 0);
}

TEST_F(BoundedTaskTest, LongIntegersAreComparedWithoutLoss) {
  make(mapTask(64,
               "    %s = arith.muli %a, %c : i64\n"
               "    linalg.yield %s : i64\n",
               "1073741827", "i64"));
  const ReferenceSet &set = reference.sets.back();
  std::vector<int64_t> got(64);
  const auto *x = reinterpret_cast<const int64_t *>(set.inputs[0].data());
  for (int i = 0; i < 64; ++i)
    got[i] = x[i] * 1073741827;
  double worst = 0;
  const TensorSpec &spec = task->outputs()[0];
  EXPECT_FALSE(compareOutput(spec, got.data(), set.outputs[0], worst));
  // A number that is larger by one is the same double.
  size_t largest = 0;
  for (size_t i = 0; i < 64; ++i)
    if (std::abs(got[i]) > std::abs(got[largest]))
      largest = i;
  ASSERT_EQ(double(got[largest]), double(got[largest] ^ 1));
  got[largest] ^= 1;
  EXPECT_TRUE(compareOutput(spec, got.data(), set.outputs[0], worst));
}

TEST_F(BoundedTaskTest, UndecidedTasksAreNotVerified) {
  // Whether e^(e^x 1000) overflows f16 may depend on the rounding of e^x. For
  // large inputs it certainly overflows.
  std::string text = mapTask(8,
                             "    %1 = arith.subf %a, %a : f32\n"
                             "    %2 = arith.addf %1, %c : f32\n"
                             "    %3 = math.exp %2 : f32\n"
                             "    %4 = arith.subf %3, %3 : f32\n"
                             "    %y = math.log %4 : f32\n"
                             "    linalg.yield %y : f32\n",
                             "0.7");
  auto parsed = TaskProgram::parse(context, text);
  ASSERT_TRUE(bool(parsed));
  auto made = makeReference(*parsed, text, 7, "");
  ASSERT_FALSE(bool(made));
  EXPECT_NE(toString(made.takeError()).find("cannot be checked"),
            std::string::npos);
}

TEST_F(BoundedTaskTest, SumsOfOneTermRound) {
  // init + a b, where one of both is far below the other and rounded away.
  make("#a = affine_map<(i, k) -> (i, k)>\n#c = affine_map<(i, k) -> (i)>\n"
       "func.func @one(%a: tensor<4096x1xf32>, %b: tensor<4096x1xf32>, "
       "%c: tensor<4096xf32>) -> tensor<4096xf32> {\n"
       "  %r = linalg.generic {indexing_maps = [#a, #a, #c], iterator_types = "
       "[\"parallel\", \"reduction\"]} ins(%a, %b : tensor<4096x1xf32>, "
       "tensor<4096x1xf32>) outs(%c : tensor<4096xf32>) {\n"
       "  ^bb0(%x: f32, %y: f32, %o: f32):\n"
       "    %p = arith.mulf %x, %y : f32\n"
       "    %s = arith.addf %o, %p : f32\n"
       "    linalg.yield %s : f32\n  } -> tensor<4096xf32>\n"
       "  return %r : tensor<4096xf32>\n}\n");
  for (const ReferenceSet &set : reference.sets)
    for (size_t i = 0; i < set.outputs[0].bound.size(); ++i) {
      double want = set.outputs[0].want[i];
      if (std::isfinite(want) && double(float(want)) != want)
        EXPECT_GT(set.outputs[0].bound[i], 0) << want;
    }
}

TEST_F(BoundedTaskTest, ProductsMayUnderflowInAnyOrder) {
  constexpr int rows = 64, factors = 16;
  make("func.func @product(%a: tensor<64x16xf32>, %one: tensor<64xf32>) -> "
       "tensor<64xf32> {\n"
       "  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, "
       "affine_map<(i, k) -> (i)>], iterator_types = [\"parallel\", "
       "\"reduction\"]} ins(%a : tensor<64x16xf32>) outs(%one : "
       "tensor<64xf32>) {\n"
       "  ^bb0(%x: f32, %o: f32):\n"
       "    %p = arith.mulf %o, %x : f32\n"
       "    linalg.yield %p : f32\n  } -> tensor<64xf32>\n"
       "  return %r : tensor<64xf32>\n}\n");
  auto product = [](int first, int step, int count) {
    return [=](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < rows; ++i) {
        out[i] = in[1][i];
        for (int k = 0; k < count; ++k)
          out[i] *= in[0][i * factors + (first + k * step) % factors];
      }
    };
  };
  EXPECT_EQ(check(product(0, 1, factors)), "");
  // Other partial products underflow.
  EXPECT_EQ(check(product(factors - 1, factors - 1, factors)), "");
  EXPECT_EQ(check(product(0, 5, factors)), "");
  EXPECT_NE(check(product(0, 1, factors - 1)), "");
}

// A sum of thousands of terms is so large that its tanh is 1, or its rounding
// errors are larger than a term. With integers times a small power of two
// neither happens.
TEST_F(BoundedTaskTest, FunctionOfALongSum) {
  const int m = 4, n = 3, k = 4096;
  make(finishedMatmulTask(
      m, n, k, "1.0",
      "    %t = math.tanh %in : f32\n    linalg.yield %t : f32\n"));
  // `columnOf` gives the column that is read instead of another.
  auto kernel = [&](int step, int terms, auto columnOf) -> Kernel {
    return [=](const std::vector<const float *> &in, float *out) {
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          std::vector<float> parts(step, 0);
          for (int p = 0; p < terms; ++p)
            parts[p % step] += in[0][i * k + p] * in[1][p * n + columnOf(j, p)];
          float sum = 0;
          for (float part : parts)
            sum += part;
          out[i * n + j] = std::tanh(sum);
        }
    };
  };
  auto same = [](int j, int) { return j; };
  EXPECT_EQ(check(kernel(1, k, same)), "");
  EXPECT_EQ(check(kernel(16, k, same)), "");
  EXPECT_NE(check(kernel(1, k - 1, same)).find("scaled: "), std::string::npos);
  EXPECT_NE(
      check(kernel(1, k, [](int j, int p) { return p == 9 && j == 1 ? 2 : j; }))
          .find("scaled: "),
      std::string::npos);
}

// Terms that are integers times a power of two are as exact as integers; one
// with more bits is not.
TEST_F(BoundedTaskTest, SumsAreExactOnAnyGrid) {
  for (auto [scale, exact] : {std::pair("0.03125", true), {"0.7", false}}) {
    make(scaledMatmulTask(4, 4, 32, scale));
    const ExpectedOutput &output = reference.sets[0].outputs[0];
    bool none = llvm::all_of(output.bound, [](double b) { return b == 0; });
    EXPECT_EQ(none, exact) << scale;
  }
}

// A product of 2^128 and more overflows. A fused multiply-add returns its exact
// value to the range of the type. Both are correct.
TEST_F(BoundedTaskTest, ProductsThatOverflowMayBeFused) {
  std::string text = std::string(maps) + "func.func @t(%x: " + rows(8, 16) +
                     ") -> " + rows(8, 16) + " {\n" + prologue(8, 16) +
                     "  %c = arith.constant 1048576.0 : f32\n"
                     "  %d = arith.constant 64.0 : f32\n"
                     "  %f = arith.constant -32.0 : f32\n";
  std::string body = "    %1 = arith.mulf %a0, %c : f32\n";
  for (int n = 2; n <= 6; ++n) // x 2^120.
    body += "    %" + std::to_string(n) + " = arith.mulf %" +
            std::to_string(n - 1) + ", %c : f32\n";
  body += "    %7 = arith.mulf %6, %d : f32\n"
          "    %8 = arith.mulf %6, %f : f32\n"
          "    %9 = arith.addf %7, %8 : f32\n"
          "    linalg.yield %9 : f32\n";
  text += generic("%y", 8, 16, {{"%x", false}}, "%e", false, body);
  make(text + "  return %y : " + rows(8, 16) + "\n}\n");
  bool differ = false;
  EXPECT_EQ(check([&](auto &in, float *out) {
              for (int i = 0; i < 8 * 16; ++i) {
                float x = in[0][i] * 0x1p120f;
                volatile float product = x * 64;
                out[i] = product + x * -32;
                float fused = std::fma(x, 64.0f, x * -32);
                differ |= std::isinf(out[i]) && std::isfinite(fused);
              }
            }),
            "");
  EXPECT_TRUE(differ);
  EXPECT_EQ(check([](auto &in, float *out) {
              for (int i = 0; i < 8 * 16; ++i) {
                float x = in[0][i] * 0x1p120f;
                out[i] = std::fma(x, 64.0f, x * -32);
              }
            }),
            "");
}
