//===- RoundingTest.cpp - floats against APFloat --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

#include "Instructions/HalfFloat.h"
#include "llvm/ADT/APFloat.h"

#include <random>

using namespace pruner::ptx;
using namespace pruner::ptx::test;
using llvm::APFloat;
using llvm::APInt;

namespace {

constexpr auto nearest = llvm::RoundingMode::NearestTiesToEven;

const llvm::fltSemantics &semantics(bool isBrain) {
  return isBrain ? APFloat::BFloat() : APFloat::IEEEhalf();
}

uint16_t encode(bool isBrain, double value) {
  return isBrain ? BFloat::encode(value) : Half::encode(value);
}
double decode(bool isBrain, uint16_t bits) {
  return isBrain ? BFloat::decode(bits) : Half::decode(bits);
}

/// Equal bits, or two NaNs.
void expectSame(uint16_t got, const APFloat &expected, const char *what) {
  if (expected.isNaN())
    EXPECT_TRUE((got & 0x7fff) > 0x7c00) << what;
  else
    EXPECT_EQ(got, expected.bitcastToAPInt().getZExtValue()) << what;
}

TEST(PtxRoundingTest, HalfFormats) {
  std::mt19937_64 random(2);
  for (bool isBrain : {false, true}) {
    for (unsigned bits = 0; bits != 65536; ++bits) {
      APFloat value(semantics(isBrain), APInt(16, bits));
      double decoded = decode(isBrain, uint16_t(bits));
      if (value.isNaN()) {
        ASSERT_TRUE(std::isnan(decoded)) << bits;
        continue;
      }
      bool inexact;
      value.convert(APFloat::IEEEdouble(), nearest, &inexact);
      ASSERT_EQ(decoded, value.convertToDouble()) << bits;
      ASSERT_EQ(encode(isBrain, decoded), bits);
    }
    for (unsigned n = 0; n != 100000; ++n) {
      // Any exponent; many are next to ties.
      uint32_t bits = uint32_t(random());
      if (n % 2)
        bits = (bits & 0xffff8000) + uint32_t(random() % 3) - 1;
      APFloat value(APFloat::IEEEsingle(), APInt(32, bits));
      float number = value.convertToFloat();
      bool inexact;
      value.convert(semantics(isBrain), nearest, &inexact);
      expectSame(encode(isBrain, number), value, "conversion");
    }
  }
}

TEST(PtxRoundingTest, HalfArithmetic) {
  std::mt19937_64 random(3);
  for (bool isBrain : {false, true})
    for (unsigned n = 0; n != 100000; ++n) {
      uint16_t bits[3];
      for (uint16_t &value : bits)
        value = uint16_t(random());
      // Often a product whose sum with the addend is next to a tie.
      if (n % 4 == 0)
        bits[2] = uint16_t(random() % 2 << 15 | random() % 0x0400);
      APFloat x[] = {APFloat(semantics(isBrain), APInt(16, bits[0])),
                     APFloat(semantics(isBrain), APInt(16, bits[1])),
                     APFloat(semantics(isBrain), APInt(16, bits[2]))};
      double a = decode(isBrain, bits[0]), b = decode(isBrain, bits[1]),
             c = decode(isBrain, bits[2]);
      APFloat sum = x[0], product = x[0], fused = x[0];
      sum.add(x[1], nearest);
      product.multiply(x[1], nearest);
      fused.fusedMultiplyAdd(x[1], x[2], nearest);
      expectSame(encode(isBrain, addToOdd(a, b)), sum, "sum");
      expectSame(encode(isBrain, a * b), product, "product");
      expectSame(encode(isBrain, addToOdd(a * b, c)), fused, "fma");
    }
}

TEST(PtxRoundingTest, ApproximateFunctionsReachTheirBounds) {
  // ex2 of 0.5 with the error at both ends, and none.
  auto at = [](double share) {
    LaunchOptions options;
    options.approximationError = share;
    Outcome outcome = run("ex2.approx.ftz.f32 %r2, 0f3F000000;\n"
                          "st.global.b32 [%rd2], %r2;",
                          1, "", options);
    EXPECT_EQ(outcome.message, "");
    return double(bitCast<float>(outcome.out[0]));
  };
  double exact = std::sqrt(2.0);
  EXPECT_NEAR(at(0), exact, 0x1p-24);
  EXPECT_NEAR(at(1) - exact, exact * 0x1p-22, 0x1p-23);
  EXPECT_NEAR(at(-1) - exact, -exact * 0x1p-22, 0x1p-23);
}

} // namespace
