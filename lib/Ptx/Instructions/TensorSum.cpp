//===- TensorSum.cpp - sums of products in tensor cores -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorSum.h"

#include "HalfFloat.h"

using namespace pruner::ptx;

/// Of normal f32, which bounds the exponent that terms are shifted to.
static constexpr int kLeastExponent = -126;

unsigned pruner::ptx::fractionBitsOf(TensorFormat format) {
  switch (format) {
  case TensorFormat::F16:
  case TensorFormat::TF32:
    return 10;
  case TensorFormat::BF16:
    return 7;
  case TensorFormat::F32:
    return 23;
  }
  return 0;
}

TensorTerm pruner::ptx::tensorTerm(TensorFormat format, uint32_t bits) {
  // As an f32 with fewer bits, except for f16.
  unsigned fraction = fractionBitsOf(format);
  unsigned exponentBits = format == TensorFormat::F16 ? 5 : 8;
  if (format == TensorFormat::TF32)
    bits >>= 13;
  uint32_t magnitude = bits & ((1u << fraction) - 1);
  int exponent = int(bits >> fraction & ((1u << exponentBits) - 1));
  bool isNegative = bits >> (fraction + exponentBits) & 1;
  int bias = (1 << (exponentBits - 1)) - 1;
  TensorTerm term;
  if (exponent == (1 << exponentBits) - 1) {
    term.special = magnitude ? NAN : isNegative ? -INFINITY : INFINITY;
    return term;
  }
  if (exponent)
    magnitude |= 1u << fraction;
  term.significand = isNegative ? -int64_t(magnitude) : int64_t(magnitude);
  term.exponent = std::max(exponent, 1) - bias;
  return term;
}

TensorArithmetic pruner::ptx::tensorArithmetic(unsigned chip) {
  if (chip >= 90)
    return {25, 0};
  // The m16n8k8 of f16, which is all that sm_75 has, is one group anyway.
  return {24, 16};
}

/// The f32 or f16 of a finite sum.
static uint32_t roundSum(double value, TensorFormat format) {
  if (format == TensorFormat::F16) {
    uint32_t half = Half::encode(value);
    return half == 0x8000 ? 0 : half;
  }
  float rounded = float(value);
  if (std::fabs(double(rounded)) > std::fabs(value) &&
      std::fabs(value) < 0x1p128)
    rounded = std::nextafter(rounded, 0.0f);
  return rounded == 0 ? 0 : bitCast<uint32_t>(rounded);
}

static double valueOf(const TensorTerm &term, unsigned fraction) {
  if (term.special != 0)
    return term.special;
  return std::ldexp(double(term.significand), term.exponent - int(fraction));
}

uint32_t pruner::ptx::tensorSum(llvm::ArrayRef<TensorTerm> a,
                                llvm::ArrayRef<TensorTerm> b,
                                TensorFormat factors, uint32_t accumulator,
                                TensorFormat accumulators, unsigned groupSize,
                                unsigned fractionBits) {
  unsigned factorFraction = fractionBitsOf(factors);
  unsigned sumFraction = fractionBitsOf(accumulators);
  for (size_t first = 0; first < a.size(); first += groupSize) {
    size_t end = std::min<size_t>(a.size(), first + groupSize);
    TensorTerm c = tensorTerm(accumulators, accumulator);
    int largest = kLeastExponent;
    if (c.significand)
      largest = std::max(largest, c.exponent);
    bool isSpecial = c.special != 0;
    for (size_t n = first; n != end; ++n) {
      isSpecial |= a[n].special != 0 || b[n].special != 0;
      if (a[n].significand && b[n].significand)
        largest = std::max(largest, a[n].exponent + b[n].exponent);
    }
    if (isSpecial) {
      double sum = valueOf(c, sumFraction);
      for (size_t n = first; n != end; ++n)
        sum += valueOf(a[n], factorFraction) * valueOf(b[n], factorFraction);
      accumulator = accumulators == TensorFormat::F16
                        ? Half::encode(sum)
                        : bitCast<uint32_t>(canonical(float(sum)));
      continue;
    }
    int64_t sum = 0;
    auto add = [&](int64_t significand, int exponent, unsigned fraction) {
      if (significand == 0) // Its exponent may exceed the largest one.
        return;
      int shift = int(fractionBits) - int(fraction) + exponent - largest;
      // Division cuts towards zero.
      sum += shift >= 0    ? significand * (int64_t(1) << shift)
             : shift > -62 ? significand / (int64_t(1) << -shift)
                           : 0;
    };
    add(c.significand, c.exponent, sumFraction);
    for (size_t n = first; n != end; ++n)
      add(a[n].significand * b[n].significand, a[n].exponent + b[n].exponent,
          2 * factorFraction);
    accumulator = roundSum(std::ldexp(double(sum), largest - int(fractionBits)),
                           accumulators);
  }
  return accumulator;
}
