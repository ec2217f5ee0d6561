//===- HalfFloat.h - f16, bf16 and NaNs -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions round to nearest, ties to even. Sums, products and fused
// multiply-adds are computed in double precision and rounded to odd there, so
// that the second rounding gives the correctly rounded result.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PTX_INSTRUCTIONS_HALFFLOAT_H
#define PRUNER_LIB_PTX_INSTRUCTIONS_HALFFLOAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace pruner::ptx {

template <class To, class From> inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

/// The NaN that all arithmetic in f32 results in. f64 keeps that of its
/// operands.
inline float canonical(float value) {
  return std::isnan(value) ? bitCast<float>(0x7fffffffu) : value;
}
inline double canonical(double value) { return value; }

/// Rounds to a format with `fraction` explicit bits and the smallest normal
/// exponent `minExponent`.
inline double roundTo(double value, int fraction, int minExponent) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), minExponent);
  // The default rounding mode is to nearest, ties to even.
  double unit = std::ldexp(1.0, exponent - fraction);
  return std::nearbyint(value / unit) * unit;
}

/// IEEE f16.
struct Half {
  uint16_t bits;
  static double decode(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                       : exponent == 0
                           ? std::ldexp(double(fraction), -24)
                           : std::ldexp(double(fraction | 1024), exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
  }
  static uint16_t encode(double value) {
    if (std::isnan(value))
      return 0x7fff;
    uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    double magnitude = std::fabs(roundTo(value, 10, -14));
    if (magnitude >= 65536)
      return sign | 0x7c00;
    if (magnitude < 0x1p-14)
      return sign | uint16_t(magnitude * 0x1p24);
    int exponent = std::ilogb(magnitude);
    return sign | uint16_t((exponent + 15) << 10) |
           uint16_t(uint32_t(std::ldexp(magnitude, 10 - exponent)) & 1023);
  }
};

/// The high half of an f32.
struct BFloat {
  uint16_t bits;
  static double decode(uint16_t bits) {
    return bitCast<float>(uint32_t(bits) << 16);
  }
  static uint16_t encode(double value) {
    if (std::isnan(value))
      return 0x7fff;
    // Exact: an f32 has all values of a bf16, and infinity above them.
    float rounded = float(roundTo(value, 7, -126));
    return uint16_t(bitCast<uint32_t>(rounded) >> 16);
  }
};

/// a + b rounded to odd: where the sum is inexact, the last bit is 1.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double high = sum - a;
  double error = (a - (sum - high)) + (b - high);
  if (error == 0 || (bitCast<uint64_t>(sum) & 1))
    return sum;
  return std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_INSTRUCTIONS_HALFFLOAT_H
