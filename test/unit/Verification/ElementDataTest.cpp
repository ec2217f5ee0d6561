//===- ElementDataTest.cpp - buffers of any element type ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/ElementData.h"
#include "pruner/Support/Random.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace pruner;
using llvm::APFloat;

static const llvm::fltSemantics &semantics(ElementType type) {
  return type == ElementType::F16 ? APFloat::IEEEhalf() : APFloat::BFloat();
}

class Narrow : public testing::TestWithParam<ElementType> {};

/// Every bit pattern, converted in both directions, against LLVM's software
/// floats.
TEST_P(Narrow, EveryPatternReadsAndWrites) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    uint16_t stored = uint16_t(bits);
    APFloat reference(semantics(GetParam()), llvm::APInt(16, bits));
    bool ignored;
    reference.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                      &ignored);
    double value = readElement(&stored, GetParam(), 0);
    if (reference.isNaN()) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      continue;
    }
    ASSERT_EQ(value, reference.convertToDouble()) << bits;
    uint16_t again = 0;
    writeElement(&again, GetParam(), 0, value);
    ASSERT_EQ(again, stored) << bits;
  }
}

TEST_P(Narrow, WritesRoundToNearestEven) {
  Random random(1);
  for (int i = 0; i < 100000; ++i) {
    double value =
        std::ldexp(random.uniformReal() * 2 - 1, int(random.uniform(60)) - 30);
    APFloat reference(value);
    bool ignored;
    reference.convert(semantics(GetParam()), APFloat::rmNearestTiesToEven,
                      &ignored);
    uint16_t stored = 0;
    writeElement(&stored, GetParam(), 0, value);
    ASSERT_EQ(stored, reference.bitcastToAPInt().getZExtValue()) << value;
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Narrow,
                         testing::Values(ElementType::F16, ElementType::BF16));

TEST(ElementData, FillsStayInRangeAndAreExact) {
  for (ElementType type :
       {ElementType::F64, ElementType::F32, ElementType::F16, ElementType::BF16,
        ElementType::I64, ElementType::I32, ElementType::I16, ElementType::I8,
        ElementType::I1}) {
    std::vector<uint8_t> bytes(1000 * byteWidth(type));
    ElementStream random(5);
    fillIntegers(bytes.data(), type, 1000, {8, 1, 0}, random);
    double low = 0, high = 0;
    for (int i = 0; i < 1000; ++i) {
      double value = readElement(bytes.data(), type, i);
      EXPECT_EQ(value, std::floor(value));
      low = std::min(low, value);
      high = std::max(high, value);
    }
    EXPECT_EQ(low, type == ElementType::I1 ? 0 : -8);
    EXPECT_EQ(high, type == ElementType::I1 ? 1 : 8);

    fillReals(bytes.data(), type, 1000, {8, 1, 0}, random);
    int fractional = 0;
    for (int i = 0; i < 1000; ++i) {
      double value = readElement(bytes.data(), type, i);
      if (isFloat(type)) {
        EXPECT_LE(std::fabs(value), 1);
      }
      fractional += value != std::floor(value);
    }
    if (isFloat(type)) {
      EXPECT_GT(fractional, 900);
    } else {
      fillIntegers(bytes.data(), type, 1000, {8, 1, 5}, random);
      for (int i = 0; i < 1000; ++i) {
        EXPECT_GE(readElement(bytes.data(), type, i), 0);
        EXPECT_LT(readElement(bytes.data(), type, i), 5);
      }
    }
  }
}

TEST(ElementData, SparseInputsAreMostlyZero) {
  std::vector<float> data(4096);
  ElementStream random(3);
  fillIntegers(data.data(), ElementType::F32, 4096, {1, 16, 0}, random);
  int zero = 0;
  for (float value : data)
    zero += value == 0;
  EXPECT_GT(zero, 4096 * 14 / 16);
  EXPECT_LT(zero, 4096);
}

TEST(ElementData, SomeIntegersDifferOnlyInTheirHighHalf) {
  ElementStream random(1);
  bool found[2] = {};
  for (int i = 0; i < 1000; ++i) {
    int64_t value = drawInteger(63, random), high = value >> 32;
    if (uint32_t(value) < 4 && high != 0 && high != -1)
      found[value < 0] = true;
  }
  EXPECT_TRUE(found[false] && found[true]);
}

TEST(ElementData, SameSeedSameBytes) {
  std::vector<float> a(100), b(100);
  ElementStream first(9), second(9);
  fillReals(a.data(), ElementType::F32, 100, {}, first);
  fillReals(b.data(), ElementType::F32, 100, {}, second);
  EXPECT_EQ(a, b);
}
