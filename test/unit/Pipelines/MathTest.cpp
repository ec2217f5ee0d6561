//===- MathTest.cpp - errors of the written-out functions -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineFixture.h"

#include "pruner/Target/ObjectFacts.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner;
using namespace pruner::test;

namespace {
struct Function {
  const char *name;            ///< Of the math op.
  double (*reference)(double); ///< In double precision.
  double low, high;            ///< Tested range.
  double maxUlp;               ///< Of an f32 result, where `absolute` is 0.
  double absolute;             ///< Otherwise the largest absolute error.
  bool logarithmic = false;    ///< Sample points spread by exponent.
};
} // namespace

static double log10Reference(double x) { return std::log10(x); }
static double rsqrtReference(double x) { return 1 / std::sqrt(x); }

/// The bounds stated in the description of pruner-expand-math.
const Function kFunctions[] = {
    {"exp", std::exp, -86.9, 88.7, 1, 0},
    {"exp2", std::exp2, -125.4, 127.9, 1, 0},
    {"expm1", std::expm1, -10, 10, 3, 0},
    {"erf", std::erf, -6, 6, 0, 2e-7},
    {"erf", std::erf, -3.7, 3.7, 6, 0},
    {"tanh", std::tanh, -10, 10, 5, 0},
    {"log", std::log, 1e-30, 1e30, 1, 0, true},
    {"log2", std::log2, 1e-30, 1e30, 2, 0, true},
    {"log10", log10Reference, 1e-30, 1e30, 3, 0, true},
    {"log1p", std::log1p, -0.9, 1000, 2, 0},
    {"sin", std::sin, -100, 100, 0, 7e-6},
    {"cos", std::cos, -100, 100, 0, 7e-6},
    {"tan", std::tan, -1.4, 1.4, 0, 4e-6},
    {"atan", std::atan, -50, 50, 0, 3e-6},
    {"sinh", std::sinh, 0.5, 20, 2, 0},
    {"cosh", std::cosh, -20, 20, 2, 0},
    {"rsqrt", rsqrtReference, 1e-30, 1e30, 2, 0, true},
    {"sqrt", std::sqrt, 1e-30, 1e30, 0.51, 0, true},
};

constexpr size_t kCount = 1 << 16; // Also written in the kernels below.

static std::string kernelSource(llvm::StringRef name) {
  std::string text = R"(
    func.func @vector(%x: memref<65536xf32>, %y: memref<65536xf32>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 65536 : index
      scf.for %i = %c0 to %n step %c8 {
        %v = vector.load %x[%i] : memref<65536xf32>, vector<8xf32>
        %r = math.NAME %v : vector<8xf32>
        vector.store %r, %y[%i] : memref<65536xf32>, vector<8xf32>
      }
      return
    }
    func.func @scalar(%x: memref<65536xf32>, %y: memref<65536xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 65536 : index
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.load %x[%i] : memref<65536xf32>
        %r = math.NAME %v : f32
        memref.store %r, %y[%i] : memref<65536xf32>
      }
      return
    })";
  for (size_t at; (at = text.find("NAME")) != std::string::npos;)
    text.replace(at, 4, name.str());
  return text;
}

static double ulpOf(double value) {
  float rounded = std::fabs(static_cast<float>(value));
  if (rounded < std::numeric_limits<float>::min())
    return std::numeric_limits<float>::denorm_min();
  return std::nextafter(rounded, std::numeric_limits<float>::infinity()) -
         rounded;
}

namespace {
class MathTest : public PipelineFixture {
protected:
  std::unique_ptr<JitModule> compileMath(llvm::StringRef name) {
    return compile(kernelSource(name), [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
  }
};
} // namespace

TEST_F(MathTest, ErrorsAreBounded) {
  for (const Function &f : kFunctions) {
    auto jit = compileMath(f.name);
    ASSERT_TRUE(jit) << f.name;
    // Nothing is left for a mathematical library, given FMA instructions.
    if (llvm::StringRef(lastObject.features).contains("+fma")) {
      auto facts = readObjectFacts(lastObject.bytes);
      ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
      for (const FunctionFacts &code : facts->functions)
        EXPECT_EQ(code.code.calls, 0u) << f.name << ", " << code.name;
    }
    AlignedBuffer<float> x(kCount), y(kCount), z(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      double t = double(i) / (kCount - 1);
      x[i] = f.logarithmic ? f.low * std::pow(f.high / f.low, t)
                           : f.low + t * (f.high - f.low);
    }
    function<void(float *, float *)>(*jit, "vector")(x.data(), y.data());
    function<void(float *, float *)>(*jit, "scalar")(x.data(), z.data());
    double worstUlp = 0, worstAbsolute = 0, worstAt = 0;
    for (size_t i = 0; i < kCount; ++i) {
      double exact = f.reference(x[i]);
      for (float result : {y[i], z[i]}) {
        double error = std::fabs(result - exact);
        ASSERT_TRUE(std::isfinite(result)) << f.name << " of " << x[i];
        if (error / ulpOf(exact) > worstUlp) {
          worstUlp = error / ulpOf(exact);
          worstAt = x[i];
        }
        worstAbsolute = std::max(worstAbsolute, error);
      }
    }
    RecordProperty(f.name, std::to_string(worstUlp));
    if (std::getenv("PRUNER_TEST_VERBOSE"))
      llvm::errs() << f.name << ": " << worstUlp << " ulp at " << worstAt
                   << ", absolute " << worstAbsolute << "\n";
    if (f.absolute)
      EXPECT_LE(worstAbsolute, f.absolute) << f.name;
    else
      EXPECT_LE(worstUlp, f.maxUlp) << f.name << " at " << worstAt;
  }
}

// The shortest forms, over every kind of number: each exponent, denormal or
// not, both signs, infinities and NaN of any payload.
TEST_F(MathTest, WholeRange) {
  struct Whole {
    const char *name;
    double (*reference)(double);
    double maxUlp, absolute; ///< One of them holds.
    double smallest;         ///< Results below it may be zero.
  };
  const Whole functions[] = {{"exp", std::exp, 1, 0, 0x1p-125},
                             {"exp2", std::exp2, 1, 0, 0x1.7p-126},
                             {"erf", std::erf, 6, 2e-7, 0},
                             {"tanh", std::tanh, 5, 0, 0}};
  constexpr uint32_t kStep = 2039; // Coprime to the number of floats.
  const double largest = std::numeric_limits<float>::max();
  for (const Whole &f : functions) {
    auto jit = compileMath(f.name);
    ASSERT_TRUE(jit) << f.name;
    auto *kernel = function<void(float *, float *)>(*jit, "vector");
    AlignedBuffer<float> x(kCount), y(kCount);
    uint32_t bits = 0;
    unsigned zeros = 0, infinities = 0, numbers = 0;
    for (uint64_t done = 0; done < (uint64_t(1) << 32) / kStep;
         done += kCount) {
      for (size_t i = 0; i < kCount; ++i, bits += kStep)
        std::memcpy(&x[i], &bits, sizeof bits);
      kernel(x.data(), y.data());
      for (size_t i = 0; i < kCount; ++i) {
        double exact = f.reference(x[i]);
        if (std::isnan(x[i])) {
          ASSERT_TRUE(std::isnan(y[i])) << f.name << " of NaN is " << y[i];
        } else if (exact > largest) {
          ASSERT_EQ(y[i], std::numeric_limits<float>::infinity())
              << f.name << " of " << x[i];
          ++infinities;
        } else if (y[i] == 0 && f.smallest != 0 && exact <= f.smallest) {
          ++zeros;
        } else {
          double error = std::fabs(y[i] - exact);
          ASSERT_TRUE(error <= f.maxUlp * ulpOf(exact) || error <= f.absolute)
              << f.name << " of " << x[i] << " is " << y[i] << ", not "
              << exact;
          ++numbers;
        }
      }
    }
    EXPECT_GT(numbers, 100000u);
    EXPECT_EQ(zeros > 0, f.smallest != 0) << f.name;
    EXPECT_EQ(infinities > 0, f.smallest != 0) << f.name;
  }
}

TEST_F(MathTest, LimitsAreRight) {
  struct Case {
    const char *name;
    float x, y;
  };
  const float inf = std::numeric_limits<float>::infinity();
  const Case cases[] = {
      {"exp", 0, 1},     {"exp", -inf, 0},        {"exp", inf, inf},
      {"exp", 100, inf}, {"exp", -200, 0},        {"tanh", 0, 0},
      {"tanh", 50, 1},   {"tanh", -50, -1},       {"tanh", inf, 1},
      {"erf", 0, 0},     {"erf", 20, 1},          {"erf", -20, -1},
      {"log", 1, 0},     {"log", 0, -inf},        {"log", inf, inf},
      {"log1p", 0, 0},   {"expm1", 0, 0},         {"sqrt", 0, 0},
      {"exp2", 0, 1},    {"exp2", 127, 0x1p127f}, {"exp2", 128, inf},
      {"exp2", -inf, 0}, {"exp", 89, inf},        {"erf", inf, 1},
      {"erf", -inf, -1},
  };
  for (const Case &c : cases) {
    auto jit = compileMath(c.name);
    ASSERT_TRUE(jit);
    AlignedBuffer<float> x(kCount, c.x), y(kCount);
    for (const char *form : {"vector", "scalar"}) {
      function<void(float *, float *)>(*jit, form)(x.data(), y.data());
      EXPECT_EQ(y[0], c.y) << c.name << "(" << c.x << "), " << form;
    }
  }
  for (const char *name : {"exp", "exp2", "tanh", "erf", "log"}) {
    auto jit = compileMath(name);
    ASSERT_TRUE(jit);
    AlignedBuffer<float> x(kCount, std::nanf("")), y(kCount);
    function<void(float *, float *)>(*jit, "vector")(x.data(), y.data());
    EXPECT_TRUE(std::isnan(y[0])) << name << " of NaN is " << y[0];
  }
}
