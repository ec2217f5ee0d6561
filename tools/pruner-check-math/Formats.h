//===- Formats.h - floating-point numbers as bits ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_CHECKMATH_FORMATS_H
#define PRUNER_TOOLS_CHECKMATH_FORMATS_H

#include <cstdint>

namespace pruner::checkmath {

/// A binary floating-point format of at most 64 bits.
struct Format {
  const char *name;   ///< Name in MLIR.
  unsigned width;     ///< All bits.
  unsigned precision; ///< Bits of the significand, the hidden one included.
  int leastExponent;  ///< Exponent of the least normal number.
};

/// Returns f64, f32, f16 or bf16; null for any other name.
const Format *formatOf(const char *name);

long double valueOf(const Format &format, uint64_t bits);
/// Returns the bits of the nearest number, ties to even; NaN becomes quiet.
uint64_t roundTo(const Format &format, long double value);

bool isNan(const Format &format, uint64_t bits);
bool isZero(const Format &format, uint64_t bits);
/// Returns the index of a number, counted from zero up and down. Infinity
/// follows the largest number. Both zeros are 0.
int64_t ordinal(const Format &format, uint64_t bits);
/// Returns the distance between the numbers around `value`.
long double unitAt(const Format &format, long double value);

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_FORMATS_H
