//===- DivisionTest.cpp - quotients and extrema of all element types ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PipelineFixture.h"

#include "pruner/Target/ObjectFacts.h"

#include <cmath>
#include <limits>
#include <random>

using namespace pruner;
using namespace pruner::test;

constexpr size_t kCount = 1024; // Also in the kernels below.
const float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kSpecial[] = {0,     -0.0f,    1,        -1,     kInf,    -kInf,
                          kNan,  1e-40f,   -1e-45f,  1e-38f, 3.4e38f, -3.4e38f,
                          7e37f, 0x1p126f, 0x1p127f, 3,      1e30f,   1e-30f};

namespace {
class DivisionTest : public PipelineFixture {
protected:
  std::unique_ptr<JitModule> compileKernel(llvm::StringRef source) {
    return compile(source, [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
  }

  /// The divisions in the loop of the kernel; a division of several lanes
  /// counts once.
  unsigned divisionsInLoop() {
    auto facts = readObjectFacts(lastObject.bytes);
    const FunctionFacts *k = facts ? facts->find("k") : nullptr;
    if (!k || !k->hotLoop) {
      ADD_FAILURE() << "no loop";
      return 0;
    }
    return k->hotLoop->code.divides;
  }

  /// Special numbers first, then numbers of all sizes.
  void fill(AlignedBuffer<float> &x) {
    size_t i = 0;
    for (float value : kSpecial)
      x[i++] = value;
    std::uniform_real_distribution<double> size(-126, 127), sign(-1, 1);
    for (; i < kCount; ++i)
      x[i] = std::copysign(std::exp2(size(rng)), sign(rng));
  }

  std::mt19937_64 rng{7};
};
} // namespace

/// Half an ulp, and one ulp near the denormal numbers.
static double allowed(double quotient) {
  float nearest = std::fabs(float(quotient));
  double unit = std::nextafter(nearest, kInf) - nearest;
  return (nearest < 0x1p-100f ? 1 : 0.5001) * unit;
}

static void expectQuotient(float got, float x, float d) {
  float want = x / d;
  double exact = double(x) / d;
  if (std::isnan(want))
    EXPECT_TRUE(std::isnan(got)) << x << " / " << d << " = " << got;
  else if (std::isinf(want) || want == 0)
    EXPECT_TRUE(got == want && std::signbit(got) == std::signbit(want))
        << x << " / " << d << " = " << got;
  else
    EXPECT_LE(std::fabs(got - exact), allowed(exact))
        << x << " / " << d << " = " << got;
}

TEST_F(DivisionTest, ByTheSameNumber) {
  auto jit = compileKernel(R"(
    func.func @k(%x: memref<1024xf32>, %d: memref<1xf32>, %y: memref<1024xf32>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 1024 : index
      scf.for %i = %c0 to %n step %c8 {
        %v = vector.load %x[%i] : memref<1024xf32>, vector<8xf32>
        %s = memref.load %d[%c0] : memref<1xf32>
        %w = vector.broadcast %s : f32 to vector<8xf32>
        %q = arith.divf %v, %w : vector<8xf32>
        vector.store %q, %y[%i] : memref<1024xf32>, vector<8xf32>
      }
      return
    })");
  ASSERT_TRUE(jit);
  if (llvm::StringRef(lastObject.features).contains("+fma")) {
    EXPECT_EQ(divisionsInLoop(), 0u);
  }
  auto *k = function<void(float *, float *, float *)>(*jit, "k");
  AlignedBuffer<float> x(kCount), d(1), y(kCount), divisors(kCount);
  fill(x);
  fill(divisors);
  for (size_t n = 0; n < kCount; ++n) {
    float divisor = d[0] = divisors[n];
    k(x.data(), d.data(), y.data());
    for (size_t i = 0; i < kCount; ++i)
      expectQuotient(y[i], x[i], divisor);
  }
  // Exact quotients are exact.
  for (int divisor = -500; divisor < 500; divisor += 7) {
    d[0] = divisor;
    for (size_t i = 0; i < kCount; ++i)
      x[i] = (float(i) - 512) * divisor;
    k(x.data(), d.data(), y.data());
    for (size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(y[i], float(i) - 512) << x[i] << " / " << divisor;
  }
}

TEST_F(DivisionTest, ByConstants) {
  for (float divisor : {1.41421354f, 49.0f, -3.0f, 1e-3f, 1e9f, 8.0f, 1e30f}) {
    std::string source = R"(
    func.func @k(%x: memref<1024xf32>, %y: memref<1024xf32>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 1024 : index
      %d = arith.constant dense<DIVISOR> : vector<8xf32>
      scf.for %i = %c0 to %n step %c8 {
        %v = vector.load %x[%i] : memref<1024xf32>, vector<8xf32>
        %q = arith.divf %v, %d : vector<8xf32>
        vector.store %q, %y[%i] : memref<1024xf32>, vector<8xf32>
      }
      return
    })";
    char text[32];
    std::snprintf(text, sizeof text, "%.8e", divisor);
    source.replace(source.find("DIVISOR"), 7, text);
    auto jit = compileKernel(source);
    ASSERT_TRUE(jit);
    if (llvm::StringRef(lastObject.features).contains("+fma")) {
      EXPECT_EQ(divisionsInLoop() != 0, divisor == 1e30f) << divisor;
    }
    AlignedBuffer<float> x(kCount), y(kCount);
    fill(x);
    auto *k = function<void(float *, float *)>(*jit, "k");
    k(x.data(), y.data());
    for (size_t i = 0; i < kCount; ++i)
      expectQuotient(y[i], x[i], divisor);
    if (divisor != std::floor(divisor) || divisor > 1e6f)
      continue;
    for (size_t i = 0; i < kCount; ++i)
      x[i] = (float(i) - 512) * divisor;
    k(x.data(), y.data());
    for (size_t i = 0; i < kCount; ++i)
      ASSERT_EQ(y[i], float(i) - 512) << x[i] << " / " << divisor;
  }
}

// NaN wins in every position; the sign of a zero is free.
TEST_F(DivisionTest, ExtremaKeepNan) {
  auto jit = compileKernel(R"(
    func.func @k(%x: memref<1024xf32>, %y: memref<8xf32>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 1024 : index
      %start = arith.constant dense<0xFF800000> : vector<8xf32>
      %m = scf.for %i = %c0 to %n step %c8 iter_args(%a = %start)
          -> vector<8xf32> {
        %v = vector.load %x[%i] : memref<1024xf32>, vector<8xf32>
        %r = arith.maximumf %v, %a : vector<8xf32>
        scf.yield %r : vector<8xf32>
      }
      vector.store %m, %y[%c0] : memref<8xf32>, vector<8xf32>
      return
    })");
  ASSERT_TRUE(jit);
  auto *k = function<void(float *, float *)>(*jit, "k");
  AlignedBuffer<float> x(kCount), y(8);
  for (size_t at = 0; at < kCount; at += 37)
    for (float special : {kNan, -kNan, kInf, 5000.0f}) {
      for (size_t i = 0; i < kCount; ++i)
        x[i] = float(i) - 2000;
      x[at] = special;
      k(x.data(), y.data());
      for (size_t lane = 0; lane < 8; ++lane) {
        bool here = lane == at % 8;
        if (here && std::isnan(special))
          EXPECT_TRUE(std::isnan(y[lane])) << at << ", " << lane;
        else
          EXPECT_EQ(y[lane], here ? special : 1016.0f + lane - 2000)
              << at << ", " << lane;
      }
    }
}
