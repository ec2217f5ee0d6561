//===- Exponentials.cpp - exp, exp2, expm1 --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

using namespace mlir;
using namespace pruner::math_expansion;

/// Adding this constant to |x| < 2^21 rounds x to an integer n. The lowest bits
/// of the sum are the two's complement of n.
constexpr double kRound = 0x1.8p23, kRoundWide = 0x1.8p52;

/// 2^n p, where `rounded` is n + kRound + 254 and -254 <= n <= 254. The factor
/// 2^n is split into two of half the exponent each. The first product is a
/// normal number, so only the second one rounds if the result is denormal. With
/// n = -254 both factors are exactly zero: unlike a product that underflows, a
/// product by zero needs no slow assistance of the CPU. The exponentials below
/// clamp their arguments so that masked ones (-inf, -10000) have this n.
static Value scale(Arithmetic &arith, Value p, Value rounded) {
  Value bits = arith.bits(rounded);
  Value half = arith.shiftRight(bits, 1);
  Value first = arith.fromBits(arith.shiftLeft(half, 23));
  Value second = arith.fromBits(arith.shiftLeft(arith.subInt(bits, half), 23));
  return arith.mul(arith.mul(p, first), second);
}

/// ln 2 = high - low. `high` has so few bits that its product with n is exact.
constexpr double kLn2High = 0.693359375, kLn2Low = 2.12194440e-4;

/// r = x - n ln 2.
static Value reduce(const Arithmetic &arith, Value x, Value n) {
  Value r = arith.fma(n, arith.constant(-kLn2High), x);
  return arith.fma(n, arith.constant(kLn2Low), r);
}

/// exp(x) = 2^n exp(r) with n = round(x / ln 2). Error of the fit: 3.1e-9.
/// Beyond the limits of the clamp the result is zero and infinity.
Value pruner::math_expansion::expandExp(Arithmetic &arith, Value x) {
  x = arith.clampAbove(arith.clampBelow(x, -176), 89);
  Value shift = arith.constant(kRound + 254);
  Value rounded = arith.fma(x, arith.constant(0x1.715476p0), shift);
  Value r = reduce(arith, x, arith.sub(rounded, shift));
  Value p = arith.polynomial(r, {1.381454175e-3, 8.36874545e-3, 4.1668389e-2,
                                 1.666652115e-1, 4.9999994e-1, 1, 1});
  return scale(arith, p, rounded);
}

/// 2^x in the same way, with r = x - n. Error of the fit: 2.0e-9.
Value pruner::math_expansion::expandExp2(Arithmetic &arith, Value x) {
  x = arith.clampAbove(arith.clampBelow(x, -254), 129);
  Value shift = arith.constant(kRound + 254);
  Value rounded = arith.add(x, shift);
  Value r = arith.sub(x, arith.sub(rounded, shift));
  Value p =
      arith.polynomial(r, {1.535335905e-4, 1.339888665e-3, 9.61843840e-3,
                           5.550332350e-2, 2.402264775e-1, 6.93147180e-1, 1});
  return scale(arith, p, rounded);
}

/// exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1), with all terms halved, because n
/// may be 128. exp(r) - 1 is r plus a small rest; the rest also takes the
/// rounding errors of r and of its sum with 2^n - 1. If x is so small that the
/// result is x, returns x, because halves of denormals lose a bit. Error of the
/// fit: 2^-30.
Value pruner::math_expansion::expandExpM1(Arithmetic &arith, Value x) {
  Value clamped = arith.clampAbove(arith.clampBelow(x, -18), 89);
  Value shift = arith.constant(kRound + 126);
  Value rounded = arith.fma(clamped, arith.constant(0x1.715476p0), shift);
  Value n = arith.sub(rounded, shift);
  Value low = arith.constant(kLn2Low);
  Value first = arith.fma(n, arith.constant(-kLn2High), clamped);
  Value r = arith.fma(n, low, first);
  Value lost = arith.fma(n, low, arith.sub(first, r));
  Value q = arith.polynomial(r, {0x1.a2d36ap-13, 0x1.6d3152p-10, 0x1.110fc4p-7,
                                 0x1.5555p-5, 0x1.555556p-3, 0.5});
  Value rest = arith.fma(arith.mul(r, r), q, lost);
  Value power = arith.fromBits(arith.shiftLeft(arith.bits(rounded), 23));
  Value less = arith.sub(power, arith.constant(0.5));
  Value high = arith.fma(r, power, less);
  Value highLost = arith.fma(r, power, arith.sub(less, high));
  Value half = arith.add(high, arith.fma(rest, power, highLost));
  Value small = arith.less(arith.abs(x), arith.constant(0x1p-25));
  return arith.select(small, x, arith.add(half, half));
}

/// With r = x - n, |r| <= 1/2. Error of the fit: 2^-38.7.
Value pruner::math_expansion::exp2Wide(const Arithmetic &wide, Value x) {
  Value shift = wide.constant(kRoundWide + 1023);
  Value rounded = wide.add(x, shift);
  Value r = wide.sub(x, wide.sub(rounded, shift));
  Value p = wide.polynomial(r, {0x1.63ef9a515f5e1p-20, 0x1.00c0e697784e7p-16,
                                0x1.430891ee0dd1cp-13, 0x1.5d877595a48e1p-10,
                                0x1.3b2ab7256747cp-7, 0x1.c6b08da70eb95p-5,
                                0x1.ebfbdff81d28ep-3, 0x1.62e42fef9cc62p-1, 1});
  return wide.mul(p, wide.fromBits(wide.shiftLeft(wide.bits(rounded), 52)));
}

Value pruner::math_expansion::expWide(const Arithmetic &wide, Value x) {
  return exp2Wide(wide, wide.mul(x, wide.constant(0x1.71547652b82fep0)));
}
