//===- TruncationTest.cpp - f64 rounded to 16 bits ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineFixture.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace pruner;
using namespace pruner::test;

constexpr size_t kCount = 4096; // Also written in the kernels below.

namespace {
class TruncationTest : public PipelineFixture {
protected:
  /// Compiles a loop over vectors of `lanes`, which must need no library.
  void expectNearest(const char *type, const llvm::fltSemantics &semantics,
                     unsigned lanes) {
    std::string source = llvm::formatv(R"(
      func.func @k(%x: memref<4096xf64>, %y: memref<4096x{0}>) {{
        %c0 = arith.constant 0 : index
        %step = arith.constant {1} : index
        %end = arith.constant 4096 : index
        scf.for %i = %c0 to %end step %step {{
          %v = vector.load %x[%i] : memref<4096xf64>, vector<{1}xf64>
          %t = arith.truncf %v : vector<{1}xf64> to vector<{1}x{0}>
          vector.store %t, %y[%i] : memref<4096x{0}>, vector<{1}x{0}>
        }
        return
      })",
                                       type, lanes);
    auto jit = compile(source, [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
    ASSERT_TRUE(jit);
    AlignedBuffer<double> x(kCount);
    AlignedBuffer<uint16_t> y(kCount);
    fill(x, semantics);
    function<void(double *, uint16_t *)>(*jit, "k")(x.data(), y.data());
    for (size_t i = 0; i < kCount; ++i) {
      llvm::APFloat want(x[i]);
      bool loses;
      want.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &loses);
      llvm::APFloat got(semantics, llvm::APInt(16, y[i]));
      if (want.isNaN())
        EXPECT_TRUE(got.isNaN()) << i;
      else
        EXPECT_TRUE(got.bitwiseIsEqual(want))
            << llvm::formatv("{0:e17} gives {1}, not {2}", x[i],
                             got.convertToDouble(), want.convertToDouble())
                   .str();
    }
  }

  /// Special numbers, and halfway cases with a little more or less than half:
  /// what rounding twice gets wrong.
  static void fill(AlignedBuffer<double> &x,
                   const llvm::fltSemantics &semantics) {
    const double special[] = {
        0.0,   -0.0,  HUGE_VAL, -HUGE_VAL, NAN,     1e300,  -1e300, 1e-320,
        65519, 65520, 65536,    0x1p-25,   0x1p-24, 3.4e38, 3.5e38, -0x1.8p-25};
    int digits = llvm::APFloat::semanticsPrecision(semantics);
    std::mt19937_64 random(5);
    for (size_t i = 0; i < kCount; ++i) {
      if (i < std::size(special)) {
        x[i] = special[i];
        continue;
      }
      double mantissa = 1 + double(random() % (1u << (digits - 1))) *
                                std::ldexp(1.0, 1 - digits);
      double half = std::ldexp(1.0, -digits);
      double little =
          std::ldexp(double(int(random() % 3) - 1), -26 - int(random() % 25));
      double value = mantissa + half + little;
      x[i] = std::ldexp(random() % 2 ? value : -value, int(random() % 40) - 25);
    }
  }
};
} // namespace

TEST_F(TruncationTest, HalfIsNearestToTheEvenOne) {
  expectNearest("f16", llvm::APFloat::IEEEhalf(), 1);
  expectNearest("f16", llvm::APFloat::IEEEhalf(), 8);
}

TEST_F(TruncationTest, BFloatIsNearestToTheEvenOne) {
  expectNearest("bf16", llvm::APFloat::BFloat(), 1);
  expectNearest("bf16", llvm::APFloat::BFloat(), 8);
}
