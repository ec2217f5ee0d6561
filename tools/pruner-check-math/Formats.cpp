//===- Formats.cpp - floating-point numbers as bits -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formats.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner::checkmath;

constexpr Format kFormats[] = {{"f64", 64, 53, -1022},
                               {"f32", 32, 24, -126},
                               {"f16", 16, 11, -14},
                               {"bf16", 16, 8, -126}};

const Format *pruner::checkmath::formatOf(const char *name) {
  for (const Format &format : kFormats)
    if (std::strcmp(format.name, name) == 0)
      return &format;
  return nullptr;
}

static uint64_t signBit(const Format &format) {
  return uint64_t(1) << (format.width - 1);
}
static uint64_t infinityOf(const Format &format) {
  unsigned stored = format.precision - 1;
  return (signBit(format) >> stored << stored) - (uint64_t(1) << stored);
}

long double pruner::checkmath::valueOf(const Format &format, uint64_t bits) {
  if (format.width == 64) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
  }
  if (format.width == 32) {
    float value;
    uint32_t narrow = bits;
    std::memcpy(&value, &narrow, 4);
    return value;
  }
  long double sign = bits & signBit(format) ? -1 : 1;
  uint64_t size = bits & (signBit(format) - 1);
  if (size >= infinityOf(format))
    return size == infinityOf(format)
               ? sign * std::numeric_limits<long double>::infinity()
               : std::numeric_limits<long double>::quiet_NaN();
  unsigned stored = format.precision - 1;
  int64_t exponent = size >> stored;
  uint64_t mantissa = size & ((uint64_t(1) << stored) - 1);
  if (exponent == 0)
    exponent = 1;
  else
    mantissa |= uint64_t(1) << stored;
  return sign *
         std::ldexp(static_cast<long double>(mantissa),
                    int(exponent) - 1 + format.leastExponent - int(stored));
}

uint64_t pruner::checkmath::roundTo(const Format &format, long double value) {
  if (format.width == 64) {
    double rounded = value;
    uint64_t bits;
    std::memcpy(&bits, &rounded, 8);
    return bits;
  }
  if (format.width == 32) {
    float rounded = value;
    uint32_t bits;
    std::memcpy(&bits, &rounded, 4);
    return bits;
  }
  uint64_t sign = std::signbit(value) ? signBit(format) : 0;
  uint64_t infinity = infinityOf(format);
  if (std::isnan(value))
    return infinity | (infinity >> 1);
  long double size = std::fabs(value);
  if (size == 0)
    return sign;
  if (std::isinf(value))
    return sign | infinity;
  long double unit = unitAt(format, size);
  // Much faster than std::nearbyint: numbers of this size have no fractions.
  constexpr long double kNoFractions =
      1 / std::numeric_limits<long double>::epsilon();
  long double units = (size / unit + kNoFractions) - kNoFractions;
  // Consecutive numbers have consecutive bits: those of the binade's first
  // number, plus the number of units above it.
  int exponent = std::max(std::ilogb(size), format.leastExponent);
  uint64_t field = exponent - format.leastExponent;
  uint64_t bits =
      (field << (format.precision - 1)) + static_cast<uint64_t>(units);
  return sign | std::min(bits, infinity);
}

bool pruner::checkmath::isNan(const Format &format, uint64_t bits) {
  return (bits & (signBit(format) - 1)) > infinityOf(format);
}
bool pruner::checkmath::isZero(const Format &format, uint64_t bits) {
  return (bits & (signBit(format) - 1)) == 0;
}

int64_t pruner::checkmath::ordinal(const Format &format, uint64_t bits) {
  int64_t size = bits & (signBit(format) - 1);
  return bits & signBit(format) ? -size : size;
}

long double pruner::checkmath::unitAt(const Format &format, long double value) {
  int exponent = format.leastExponent;
  if (value != 0 && std::isfinite(value))
    exponent = std::max(std::ilogb(value), exponent);
  return std::ldexp(1.0L, exponent - int(format.precision) + 1);
}
