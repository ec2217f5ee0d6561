//===- Hyperbolic.cpp - hyperbolic functions and their inverses -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

using namespace mlir;
using namespace pruner::math_expansion;

namespace {
/// x = n ln 2 + r with |r| <= ln 2 / 2: sinh(r), cosh(r), and the halves of
/// 2^n + 2^-n and 2^n - 2^-n, which are cosh and sinh of n ln 2.
struct Halves {
  Value sinh, cosh, sum, difference;
};
} // namespace

/// In f64, for x clamped to where f32 overflows. Errors of the fits: 2^-47.5
/// and 2^-44.1.
static Halves split(const Arithmetic &wide, Value x) {
  x = wide.clampAbove(wide.clampBelow(x, -95), 95);
  Value shift = wide.constant(0x1.8p52);
  Value rounded = wide.fma(x, wide.constant(0x1.71547652b82fep0), shift);
  Value n = wide.sub(rounded, shift);
  Value r = wide.fma(n, wide.constant(-0x1.62e42fefa39efp-1), x);
  Value square = wide.mul(r, r);
  Value s =
      wide.polynomial(square, {0x1.72ae70a2f8f9bp-19, 0x1.a019c2b71c623p-13,
                               0x1.1111111725fb6p-7, 0x1.5555555554f74p-3});
  Value c =
      wide.polynomial(square, {0x1.a1385a6b6350ep-16, 0x1.6c166ae63f5f3p-10,
                               0x1.555555660fea8p-5, 0x1.fffffffffdfa8p-2, 1});
  s = wide.fma(wide.mul(r, square), s, r);
  // Half of 2^n and of 2^-n.
  Value bias = wide.integer(1022);
  Value bits = wide.bits(rounded);
  Value up = wide.fromBits(wide.shiftLeft(wide.addInt(bits, bias), 52));
  Value down = wide.fromBits(wide.shiftLeft(wide.subInt(bias, bits), 52));
  return {s, c, wide.add(up, down), wide.sub(up, down)};
}

Value pruner::math_expansion::expandSinh(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Halves h = split(wide, arith.widen(x));
  Value y = wide.fma(h.difference, h.cosh, wide.mul(h.sum, h.sinh));
  return arith.copySign(arith.narrow(y), x);
}

Value pruner::math_expansion::expandCosh(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Halves h = split(wide, arith.widen(x));
  return arith.narrow(wide.fma(h.sum, h.cosh, wide.mul(h.difference, h.sinh)));
}

/// Up to 0.8: x + x^3 P(x^2), an odd function; error of the fit: 2^-29.0.
/// Beyond: 1 - 2 / (exp(2 |x|) + 1), where less than half of the quotient's
/// error reaches the result. From 9.02 on the result rounds to 1.
Value pruner::math_expansion::expandTanh(Arithmetic &arith, Value x) {
  Value size = arith.abs(x);
  Value square = arith.mul(x, x);
  Value p = arith.polynomial(
      square, {-0x1.600844p-11, 0x1.92471cp-9, -0x1.1cc96p-7, 0x1.65edc6p-6,
               -0x1.ba1c24p-5, 0x1.111134p-3, -0x1.555556p-2});
  Value small = arith.fma(arith.mul(size, square), p, size);

  // exp(2 a) as in expandExp, with constants for twice the argument.
  Value a = arith.clampAbove(size, 9.1);
  Value shift = arith.constant(0x1.8p23 + 127);
  Value rounded = arith.fma(a, arith.constant(0x1.715476p1), shift);
  Value n = arith.sub(rounded, shift);
  Value r = arith.fma(n, arith.constant(-0.693359375 / 2), a);
  r = arith.fma(n, arith.constant(2.12194440e-4 / 2), r);
  Value e = arith.polynomial(r, {64 * 1.381454175e-3, 32 * 8.36874545e-3,
                                 16 * 4.1668389e-2, 8 * 1.666652115e-1,
                                 4 * 4.9999994e-1, 2, 1});
  Value power = arith.fromBits(arith.shiftLeft(arith.bits(rounded), 23));
  Value one = arith.constant(1);
  Value quotient = arith.div(arith.constant(2), arith.fma(e, power, one));
  Value large = arith.sub(one, quotient);
  Value isSmall = arith.less(size, arith.constant(0.8));
  return arith.copySign(arith.select(isSmall, small, large), x);
}

/// Up to 1/2 a polynomial, error of the fit: 2^-40.9; beyond it log(|x| +
/// sqrt(x^2 + 1)).
Value pruner::math_expansion::expandAsinh(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value size = wide.abs(arith.widen(x)), square = wide.mul(size, size);
  Value p =
      wide.polynomial(square, {0x1.5cdcd33d62826p-8, -0x1.83c5a184386a6p-7,
                               0x1.158d39a36bacp-6, -0x1.6dcbdd645cc1bp-6,
                               0x1.f1bb5fe78f3a7p-6, -0x1.6db6ade575721p-5,
                               0x1.333332ef9fcf2p-4, -0x1.5555555544dbbp-3});
  Value small = wide.fma(wide.mul(size, square), p, size);
  Value root = wide.sqrt(wide.add(square, wide.constant(1)));
  Value large = logWide(wide, wide.add(size, root));
  large = wide.select(wide.less(size, wide.infinity()), large, size);
  Value y = wide.select(wide.less(size, wide.constant(0.5)), small, large);
  return arith.copySign(arith.narrow(y), x);
}

/// log(x + sqrt(x^2 - 1)); x^2 - 1 is exact in f64 where it is small.
Value pruner::math_expansion::expandAcosh(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value whole = arith.widen(x);
  Value root = wide.sqrt(wide.fma(whole, whole, wide.constant(-1)));
  Value y = logWide(wide, wide.add(whole, root));
  y = wide.select(wide.equal(whole, wide.infinity()), whole, y);
  Value defined = wide.atLeast(whole, wide.constant(1));
  return arith.narrow(wide.select(defined, y, wide.nan()));
}

/// Up to 1/2 a polynomial, error of the fit: 2^-43.6; beyond it
/// log((1 + |x|) / (1 - |x|)) / 2.
Value pruner::math_expansion::expandAtanh(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value size = wide.abs(arith.widen(x)), square = wide.mul(size, size);
  Value p = wide.polynomial(
      square, {0x1.5b4c4461c8b73p-3, -0x1.cb78d19484cbap-6,
               0x1.5d968af6fc0cap-4, 0x1.f8b48cea1c5a8p-5, 0x1.3d78ce5477151p-4,
               0x1.74326c8edd34p-4, 0x1.c71e236c29236p-4, 0x1.249244c9fd0a5p-3,
               0x1.999999a243376p-3, 0x1.5555555553e99p-2});
  Value small = wide.fma(wide.mul(size, square), p, size);
  Value one = wide.constant(1);
  Value quotient = wide.div(wide.add(one, size), wide.sub(one, size));
  Value large = wide.mul(wide.constant(0.5), logWide(wide, quotient));
  Value special =
      wide.select(wide.equal(size, one), wide.infinity(), wide.nan());
  large = wide.select(wide.less(size, one), large, special);
  Value y = wide.select(wide.less(size, wide.constant(0.5)), small, large);
  return arith.copySign(arith.narrow(y), x);
}
