//===- TruncationTest.cpp - f64 rounded to 16 bits ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PipelineFixture.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace pruner;
using namespace pruner::test;

constexpr size_t kCount = 4096; // Also in the kernels below.

namespace {
class TruncationTest : public PipelineFixture {
protected:
  /// Compiles a loop over vectors of `lanes`, which must not need a library.
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

  /// Compiles a loop over vectors of eight that converts integers to bf16.
  template <typename Integer>
  void expectNearestOfIntegers(const char *op, const char *type) {
    std::string source = llvm::formatv(R"(
      func.func @k(%x: memref<4096x{1}>, %y: memref<4096xbf16>) {{
        %c0 = arith.constant 0 : index
        %step = arith.constant 8 : index
        %end = arith.constant 4096 : index
        scf.for %i = %c0 to %end step %step {{
          %v = vector.load %x[%i] : memref<4096x{1}>, vector<8x{1}>
          %t = arith.{0} %v : vector<8x{1}> to vector<8xbf16>
          vector.store %t, %y[%i] : memref<4096xbf16>, vector<8xbf16>
        }
        return
      })",
                                       op, type);
    auto jit = compile(source, [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
    ASSERT_TRUE(jit);
    constexpr int width = 8 * sizeof(Integer);
    AlignedBuffer<Integer> x(kCount);
    AlignedBuffer<uint16_t> y(kCount);
    std::mt19937_64 random(7);
    for (size_t i = 0; i < kCount; ++i) {
      // Halfway cases, slightly larger and smaller values, of every magnitude.
      uint64_t bits = ((random() | 1) << 63) | (random() >> 1);
      bits = (bits & ~(uint64_t(1) << 55) & (~uint64_t(0) << 56)) |
             (uint64_t(1) << 55);
      bits >>= random() % width + (64 - width);
      bits += random() % 3 - 1;
      x[i] = random() % 2 ? Integer(bits) : Integer(-bits);
      if (i % 16 == 0)
        x[i] = Integer(random());
    }
    x[0] = std::numeric_limits<Integer>::min();
    x[1] = std::numeric_limits<Integer>::max();
    x[2] = 0;
    function<void(Integer *, uint16_t *)>(*jit, "k")(x.data(), y.data());
    for (size_t i = 0; i < kCount; ++i) {
      llvm::APFloat want(llvm::APFloat::BFloat());
      want.convertFromAPInt(
          llvm::APInt(width, uint64_t(x[i]), std::is_signed_v<Integer>,
                      /*implicitTrunc=*/true),
          std::is_signed_v<Integer>, llvm::APFloat::rmNearestTiesToEven);
      llvm::APFloat got(llvm::APFloat::BFloat(), llvm::APInt(16, y[i]));
      EXPECT_TRUE(got.bitwiseIsEqual(want))
          << op << " " << type << " of " << std::to_string(x[i]);
    }
  }

  /// The same for fused multiply-adds.
  void expectFused(const char *type, const llvm::fltSemantics &semantics) {
    std::string source = llvm::formatv(R"(
      func.func @k(%x: memref<12288x{0}>, %y: memref<4096x{0}>) {{
        %c0 = arith.constant 0 : index
        %step = arith.constant 8 : index
        %end = arith.constant 4096 : index
        %second = arith.constant 8192 : index
        scf.for %i = %c0 to %end step %step {{
          %j = arith.addi %i, %end : index
          %k = arith.addi %i, %second : index
          %a = vector.load %x[%i] : memref<12288x{0}>, vector<8x{0}>
          %b = vector.load %x[%j] : memref<12288x{0}>, vector<8x{0}>
          %c = vector.load %x[%k] : memref<12288x{0}>, vector<8x{0}>
          %t = math.fma %a, %b, %c : vector<8x{0}>
          vector.store %t, %y[%i] : memref<4096x{0}>, vector<8x{0}>
        }
        return
      })",
                                       type);
    auto jit = compile(source, [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
    ASSERT_TRUE(jit);
    AlignedBuffer<uint16_t> x(3 * kCount), y(kCount);
    std::mt19937_64 random(9);
    for (size_t i = 0; i < 3 * kCount; ++i)
      x[i] = uint16_t(random());
    auto number = [&](size_t i) {
      return llvm::APFloat(semantics, llvm::APInt(16, x[i]));
    };
    // Sums close to half a unit: the product is one, and the addend is about
    // half a unit.
    int digits = llvm::APFloat::semanticsPrecision(semantics);
    for (size_t i = 0; i < kCount; i += 2) {
      auto encode = [&](double value) {
        llvm::APFloat wide(value);
        bool loses;
        wide.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &loses);
        return uint16_t(wide.bitcastToAPInt().getZExtValue());
      };
      double unit = std::ldexp(1.0, 1 - digits);
      x[i] = encode(std::ldexp(1 + unit * double(random() % 8), -6));
      x[i + kCount] = encode((1 - unit * double(random() % 8)) *
                             std::ldexp(1.0, -int(random() % 9)));
      x[i + 2 * kCount] =
          encode((1 + unit * double(random() % 16)) * (random() % 2 ? 1 : -1));
    }
    function<void(uint16_t *, uint16_t *)>(*jit, "k")(x.data(), y.data());
    for (size_t i = 0; i < kCount; ++i) {
      llvm::APFloat want = number(i);
      want.fusedMultiplyAdd(number(i + kCount), number(i + 2 * kCount),
                            llvm::APFloat::rmNearestTiesToEven);
      llvm::APFloat got(semantics, llvm::APInt(16, y[i]));
      EXPECT_TRUE(want.isNaN() ? got.isNaN() : got.bitwiseIsEqual(want))
          << type << " " << i;
    }
  }

  /// Special numbers, halfway cases, and slightly larger and smaller values,
  /// for which rounding twice is wrong.
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

TEST_F(TruncationTest, IntegersBecomeTheNearestBFloat) {
  expectNearestOfIntegers<int16_t>("sitofp", "i16");
  expectNearestOfIntegers<int32_t>("sitofp", "i32");
  expectNearestOfIntegers<uint32_t>("uitofp", "i32");
  expectNearestOfIntegers<int64_t>("sitofp", "i64");
  expectNearestOfIntegers<uint64_t>("uitofp", "i64");
}

TEST_F(TruncationTest, FusedMultiplyAddsAreRoundedOnce) {
  expectFused("f16", llvm::APFloat::IEEEhalf());
  expectFused("bf16", llvm::APFloat::BFloat());
}
