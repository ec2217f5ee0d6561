//===- ReferenceTest.cpp - expected results of tasks ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/Reference.h"
#include "../Measure/Tasks.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Support/Hashing.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner;

namespace {
class ReferenceTest : public testing::Test {
protected:
  ReferenceTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  Reference make(const std::string &text, llvm::StringRef cache = "") {
    auto task = TaskProgram::parse(context, text);
    if (!task) {
      ADD_FAILURE() << toString(task.takeError()) << "\n" << text;
      return {};
    }
    auto reference = makeReference(*task, text, /*seed=*/7, cache);
    if (!reference) {
      ADD_FAILURE() << toString(reference.takeError());
      return {};
    }
    return std::move(*reference);
  }

  mlir::MLIRContext context;
};
} // namespace

/// Rounded like an operation on `type`. Products of other types may be fused.
static double rounded(double value, ElementType type) {
  if (type != ElementType::F16 && type != ElementType::BF16)
    return value;
  uint16_t bits;
  writeElement(&bits, type, 0, value);
  return readElement(&bits, type, 0);
}

/// A matmul in plain code, and the sum of the absolute values of its terms.
static void matmul(const ReferenceSet &set, ElementType type, int m, int n,
                   int k, std::vector<double> &sum, std::vector<double> &mag) {
  sum.assign(m * n, 0);
  mag.assign(m * n, 0);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int p = 0; p < k; ++p) {
        double term =
            rounded(readElement(set.inputs[0].data(), type, i * k + p) *
                        readElement(set.inputs[1].data(), type, p * n + j),
                    type);
        sum[i * n + j] += term;
        mag[i * n + j] += std::fabs(term);
      }
}

TEST_F(ReferenceTest, MatmulIsExactThenBounded) {
  for (const char *name : {"f32", "f16", "bf16", "f64"}) {
    int m = 5, n = 7, k = name[0] == 'b' ? 3 : 11;
    ElementType type = *elementTypeOf(mlir::parseType(name, &context));
    Reference reference = make(matmulTask(m, n, k, name));
    ASSERT_GE(reference.sets.size(), 2u);
    EXPECT_TRUE(reference.numerics.exact) << name;
    std::vector<double> sum, mag;
    matmul(reference.sets[0], type, m, n, k, sum, mag);
    EXPECT_EQ(reference.sets[0].outputs[0].want, sum) << name;
    EXPECT_TRUE(reference.sets[0].outputs[0].bound.empty());
    matmul(reference.sets.back(), type, m, n, k, sum, mag);
    double u = unitRoundoff(type);
    const ExpectedOutput &real = reference.sets.back().outputs[0];
    ASSERT_EQ(real.bound.size(), sum.size());
    for (size_t i = 0; i < sum.size(); ++i) {
      EXPECT_NEAR(real.want[i], sum[i], 1e-12) << name;
      // At least K u sum|terms|, and of that order.
      EXPECT_GE(real.bound[i], k * u * mag[i]) << name;
      EXPECT_LE(real.bound[i], 4 * (k + 4) * u * mag[i] + 1e-4 * (u > 1e-9))
          << name;
    }
  }
}

/// Code that keeps the quotient in f32 gives other numbers, which every set of
/// inputs rejects. So does code that does not round a function of it.
TEST_F(ReferenceTest, MissingRoundingsAreWrong) {
  auto task = [](const std::string &first) {
    return R"(
      #m = affine_map<(i) -> (i)>
      func.func @t(%x: tensor<512xbf16>) -> tensor<512xbf16> {
        %three = arith.constant 3.0 : bf16
        %e = tensor.empty() : tensor<512xbf16>
        %r = linalg.generic {indexing_maps = [#m, #m],
                             iterator_types = ["parallel"]}
            ins(%x : tensor<512xbf16>) outs(%e : tensor<512xbf16>) {
          ^bb0(%a: bf16, %o: bf16):
            %q = )" +
           first + R"(
            %p = arith.mulf %q, %three : bf16
            linalg.yield %p : bf16
        } -> tensor<512xbf16>
        return %r : tensor<512xbf16>
      })";
  };
  auto check = [&](const std::string &first, float (*apply)(float)) {
    Reference reference = make(task(first));
    TensorSpec spec;
    spec.shape = {512};
    spec.type = ElementType::BF16;
    bool refused = false;
    for (const ReferenceSet &set : reference.sets) {
      std::vector<uint16_t> right(512), wrong(512);
      for (int i = 0; i < 512; ++i) {
        float x = float(readElement(set.inputs[0].data(), spec.type, i));
        float wide = apply(x);
        writeElement(right.data(), spec.type, i, rounded(wide, spec.type) * 3);
        writeElement(wrong.data(), spec.type, i, double(wide * 3));
      }
      double worst = 0;
      auto problem = compareOutput(spec, right.data(), set.outputs[0], worst);
      EXPECT_EQ(problem, std::nullopt) << patternName(set.pattern).str();
      refused |= bool(compareOutput(spec, wrong.data(), set.outputs[0], worst));
    }
    EXPECT_TRUE(refused) << first;
  };
  check("arith.divf %a, %three : bf16", [](float x) { return x / 3; });
  check("math.exp %a : bf16", [](float x) { return std::exp(x); });
}

/// Integers whose product is rounded in its last step may be rounded in each
/// step if they are multiplied in another order.
TEST_F(ReferenceTest, ProductsRoundAsOftenAsAnyOrderMay) {
  Reference reference = make(R"(
    func.func @t(%x: tensor<64x10xf32>) -> tensor<64xf32> {
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<64xf32>
      %f = linalg.fill ins(%one : f32) outs(%e : tensor<64xf32>)
          -> tensor<64xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                            affine_map<(i, j) -> (i)>],
                           iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<64x10xf32>) outs(%f : tensor<64xf32>) {
        ^bb0(%a: f32, %acc: f32):
          %p = arith.mulf %acc, %a : f32
          linalg.yield %p : f32
      } -> tensor<64xf32>
      return %r : tensor<64xf32>
    })");
  int rounded = 0, exact = 0;
  for (const ReferenceSet &set : reference.sets) {
    const ExpectedOutput &output = set.outputs[0];
    for (int i = 0; i < 64; ++i) {
      double bound = output.bound.empty() ? 0 : output.bound[i];
      exact += bound == 0;
      if (bound == 0 || std::isinf(bound) || !std::isfinite(output.want[i]))
        continue;
      ++rounded;
      EXPECT_GE(bound, 10 * 0x1p-24 * std::fabs(output.want[i]));
    }
  }
  EXPECT_GT(rounded, 0);
  EXPECT_GT(exact, 0);
}

TEST_F(ReferenceTest, MissingTermsAreOutsideTheBound) {
  Reference reference = make(matmulTask(8, 8, 64));
  const ExpectedOutput &real = reference.sets.back().outputs[0];
  TensorSpec spec;
  spec.shape = {8, 8};
  std::vector<float> got(real.want.begin(), real.want.end());
  double worst = 0;
  EXPECT_FALSE(compareOutput(spec, got.data(), real, worst));
  EXPECT_LT(worst, 1);
  // Drop the last of 64 terms of one element.
  double a = readElement(reference.sets.back().inputs[0].data(),
                         ElementType::F32, 3 * 64 + 63);
  double b = readElement(reference.sets.back().inputs[1].data(),
                         ElementType::F32, 63 * 8 + 2);
  got[3 * 8 + 2] -= float(a * b);
  EXPECT_TRUE(compareOutput(spec, got.data(), real, worst));
}

TEST_F(ReferenceTest, FunctionsHaveTheStatedBound) {
  Reference reference = make(
      mapTask(64, "    %y = math.exp %a : f32\n    linalg.yield %y : f32\n"));
  EXPECT_FALSE(reference.numerics.exact);
  for (const ReferenceSet &set : reference.sets)
    for (int i = 0; i < 64; ++i) {
      double x = readElement(set.inputs[0].data(), ElementType::F32, i);
      double want = set.outputs[0].want[i], bound = set.outputs[0].bound[i];
      if (!std::isfinite(x)) {
        EXPECT_TRUE(std::isnan(x) ? std::isnan(want) : want == std::exp(x));
        EXPECT_EQ(bound, 0);
      } else if (std::exp(x) > std::numeric_limits<float>::max()) {
        EXPECT_EQ(want, INFINITY);
      } else if (std::exp(x) == 1) { // Exact, or as close as possible.
        EXPECT_EQ(want, 1);
        EXPECT_EQ(bound, 0);
      } else if (std::exp(x) > 1e-30) { // Two ulp.
        EXPECT_NEAR(want, std::exp(x), 1e-12 * std::exp(x));
        EXPECT_NEAR(bound, std::ldexp(std::exp(x), -22), 1e-6 * bound);
      }
    }
}

TEST_F(ReferenceTest, DifferencesBoundBySumsNotByResults) {
  // x - x is exact, x + 0.1 - x is not: the bound must depend on the magnitude
  // of the terms.
  Reference reference = make(mapTask(64,
                                     "    %s = arith.addf %a, %c : f32\n"
                                     "    %y = arith.subf %s, %a : f32\n"
                                     "    linalg.yield %y : f32\n",
                                     "100.1"));
  const ExpectedOutput &real = reference.sets.back().outputs[0];
  for (size_t i = 0; i < 64; ++i) {
    double x = readElement(reference.sets.back().inputs[0].data(),
                           ElementType::F32, i);
    double sum = x + double(100.1f);
    if (double(float(sum)) != sum)
      EXPECT_GE(real.bound[i], 100 * std::ldexp(1.0, -24));
    else
      EXPECT_EQ(real.bound[i], 0);
  }
}

TEST_F(ReferenceTest, ScaledSumsAreExactOnlyIfTheirProductsFit) {
  // A sum of three times a constant of 24 bits has more bits. Sparse inputs
  // alone do not make such a task exact, and the first set also has bounds.
  Reference reference = make(scaledMatmulTask(8, 8, 32, "0.176776692"));
  EXPECT_TRUE(reference.numerics.exactIfMagnitudeFits);
  EXPECT_FALSE(reference.numerics.exact);
  ASSERT_EQ(reference.sets[0].outputs[0].bound.size(), 64u);
  TensorSpec spec{{8, 8}, ElementType::F32};
  std::vector<float> got;
  for (double value : reference.sets[0].outputs[0].want)
    got.push_back(float(value));
  double worst = 0;
  EXPECT_EQ(
      compareOutput(spec, got.data(), reference.sets[0].outputs[0], worst),
      std::nullopt);
  EXPECT_GT(worst, 0);

  // A power of two needs no additional bits.
  reference = make(scaledMatmulTask(8, 8, 32, "0.125"));
  EXPECT_TRUE(reference.numerics.exact);
  EXPECT_TRUE(reference.sets[0].outputs[0].bound.empty());
}

static bool sameBits(const std::vector<double> &a,
                     const std::vector<double> &b) {
  return a.size() == b.size() &&
         !std::memcmp(a.data(), b.data(), a.size() * sizeof(double));
}

TEST_F(ReferenceTest, CachedReferencesAreEqualAndDamageIsDetected) {
  llvm::SmallString<128> directory;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("pruner", directory));
  // Sums of some sets may overflow in several ways.
  std::string text = matmulTask(64, 8, 16);
  Reference first = make(text, directory);
  bool others = false;
  std::error_code ec;
  llvm::sys::fs::directory_iterator it(directory, ec), end;
  ASSERT_TRUE(it != end);
  std::string path = it->path();
  Reference second = make(text, directory);
  ASSERT_EQ(first.sets.size(), second.sets.size());
  for (size_t set = 0; set < first.sets.size(); ++set) {
    EXPECT_TRUE(sameBits(first.sets[set].outputs[0].want,
                         second.sets[set].outputs[0].want));
    EXPECT_EQ(first.sets[set].outputs[0].bound,
              second.sets[set].outputs[0].bound);
    EXPECT_EQ(first.sets[set].outputs[0].others,
              second.sets[set].outputs[0].others);
    others |= !first.sets[set].outputs[0].others.empty();
  }
  EXPECT_TRUE(others);
  // The last one is sound but for what should follow.
  for (const std::string &damage : {std::string(), std::string("short"),
                                    std::string(32, '0'), contentHash("")}) {
    {
      llvm::raw_fd_ostream os(path, ec);
      os << damage;
    }
    Reference third = make(text, directory);
    EXPECT_EQ(first.sets[0].outputs[0].want, third.sets[0].outputs[0].want);
  }
  llvm::sys::fs::remove_directories(directory);
}
