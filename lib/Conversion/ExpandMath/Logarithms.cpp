//===- Logarithms.cpp - log, log2, log10, log1p ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

using namespace mlir;
using namespace pruner::math_expansion;

namespace {
/// A base in terms of the natural logarithm: the logarithms of 2 and of e in
/// this base, each in two parts. The first part of `ofTwo` has so few bits that
/// its product with an exponent is exact.
struct Base {
  double ofTwo, ofTwoRest, ofE, ofERest;
};

/// x = 2^exponent (1 + fraction), where 1 + fraction is between sqrt(1/2) and
/// sqrt(2).
struct Split {
  Value exponent, fraction;
};
} // namespace

constexpr Base kNatural = {0x1.62e8p-1, -0x1.e8082ep-16, 1, 0};
constexpr Base kTwo = {1, 0, 0x1.715476p0, 0x1.4ae0cp-26};
constexpr Base kTen = {0x1.344p-2, 0x1.3509f8p-18, 0x1.bcb7b2p-2,
                       -0x1.5b235ep-27};
constexpr int64_t kSqrtHalf = 0x3f3504f3; // As bits.

/// log(1 + f) = f - f^2 / 2 + f^3 P(f); error of the fit: 2^-27.7. The sum of
/// the terms of the exponent and of f has two parts, `high` and its rounding
/// error, because the terms cancel next to 1. `more` is the rounding error of
/// the fraction, if any.
static Value logOf(Arithmetic &arith, const Split &x, const Base &base,
                   Value more = {}) {
  Value f = x.fraction;
  Value p = arith.polynomial(f, {0x1.2cb40ep-4, -0x1.ddb2cep-4, 0x1.dc75e8p-4,
                                 -0x1.fbbf2ep-4, 0x1.23de4p-3, -0x1.556288p-3,
                                 0x1.999d2ap-3, -0x1.ffffe6p-3, 0x1.555554p-2});
  p = arith.fma(p, f, arith.constant(-0.5));
  Value square = arith.mul(f, f);
  Value rest = more ? arith.fma(square, p, more) : arith.mul(square, p);
  if (base.ofE != 1) {
    rest = arith.mul(rest, arith.constant(base.ofE));
    rest = arith.fma(f, arith.constant(base.ofERest), rest);
  }
  if (base.ofTwoRest != 0)
    rest = arith.fma(x.exponent, arith.constant(base.ofTwoRest), rest);
  Value ofPower = x.exponent;
  if (base.ofTwo != 1)
    ofPower = arith.mul(x.exponent, arith.constant(base.ofTwo));
  Value linear = f;
  if (base.ofE != 1) {
    Value scale = arith.constant(base.ofE);
    linear = arith.mul(f, scale);
    rest = arith.add(rest, arith.fma(f, scale, arith.neg(linear)));
  }
  Value high = arith.add(ofPower, linear);
  Value lost = arith.add(arith.sub(ofPower, high), linear);
  return arith.add(high, arith.add(lost, rest));
}

/// `value` if x is positive and finite; -inf at zero; NaN below zero; infinity
/// and NaN unchanged.
static Value withSpecialValues(Arithmetic &arith, Value x, Value value) {
  Value less = arith.subInt(arith.bits(x), arith.integer(1));
  Value ordinary = arith.compareInt(arith::CmpIPredicate::ult, less,
                                    arith.integer(0x7f7fffff));
  Value zero = arith.constant(0);
  Value special = arith.select(arith.less(x, zero), arith.nan(), x);
  special =
      arith.select(arith.equal(x, zero), arith.neg(arith.infinity()), special);
  return arith.select(ordinary, value, special);
}

/// The integer n with 2^n sqrt(1/2) <= x < 2^n sqrt(2), for normal x > 0.
static Value exponentOf(Arithmetic &arith, Value bits) {
  return arith.shiftRightSigned(arith.subInt(bits, arith.integer(kSqrtHalf)),
                                23);
}

static Value toFloat(Arithmetic &arith, Value integers) {
  return arith::SIToFPOp::create(arith.builder(), arith.loc(), arith.type(),
                                 integers);
}

static Value expandLogarithm(Arithmetic &arith, Value x, const Base &base) {
  // Denormal numbers have no leading bit that determines the exponent.
  Value denormal = arith.less(x, arith.constant(0x1p-126));
  Value normal =
      arith.select(denormal, arith.mul(x, arith.constant(0x1p23)), x);
  Value offset = arith.select(denormal, arith.constant(-23), arith.constant(0));
  Value bits = arith.bits(normal);
  Value n = exponentOf(arith, bits);
  Value m = arith.fromBits(arith.subInt(bits, arith.shiftLeft(n, 23)));
  Split split = {arith.add(toFloat(arith, n), offset),
                 arith.sub(m, arith.constant(1))};
  return withSpecialValues(arith, x, logOf(arith, split, base));
}

Value pruner::math_expansion::expandLog(Arithmetic &arith, Value x) {
  return expandLogarithm(arith, x, kNatural);
}
Value pruner::math_expansion::expandLog2(Arithmetic &arith, Value x) {
  return expandLogarithm(arith, x, kTwo);
}
Value pruner::math_expansion::expandLog10(Arithmetic &arith, Value x) {
  return expandLogarithm(arith, x, kTen);
}

/// The exponent n comes from 1 + x rounded, and the fraction 2^-n (1 + x) - 1
/// from x itself; for n = 0 it is x. A quarter of 4 2^-n equals 2^-n also for n
/// = 128.
Value pruner::math_expansion::expandLog1p(Arithmetic &arith, Value x) {
  Value u = arith.add(x, arith.constant(1));
  Value n = exponentOf(arith, arith.bits(u));
  Value field = arith.shiftLeft(n, 23);
  Value power = arith.fromBits(arith.subInt(arith.integer(0x40800000), field));
  Value scaled = arith.fromBits(arith.subInt(arith.bits(x), field));
  Value one = arith.fma(arith.constant(0.25), power, arith.constant(-1));
  Split split = {toFloat(arith, n), arith.add(scaled, one)};
  Value lost = arith.add(arith.sub(one, split.fraction), scaled);
  Value y = logOf(arith, split, kNatural, lost);
  return arith.copySign(withSpecialValues(arith, u, y), x);
}

/// log(m) = 2 atanh(s) with s = (m - 1) / (m + 1).
WideLog pruner::math_expansion::splitLogWide(const Arithmetic &wide, Value x) {
  Value bits = wide.bits(x);
  Value n = wide.shiftRightSigned(
      wide.subInt(bits, wide.integer(0x3fe6a09e667f3bcd)), 52);
  Value m = wide.fromBits(wide.subInt(bits, wide.shiftLeft(n, 52)));
  // An integer below 2^51 is in the last bits of a number whose unit is 1.
  Value shift = wide.constant(0x1.8p52);
  Value exponent =
      wide.sub(wide.fromBits(wide.addInt(n, wide.bits(shift))), shift);
  Value one = wide.constant(1);
  Value s = wide.div(wide.sub(m, one), wide.add(m, one));
  Value square = wide.mul(s, s);
  Value p =
      wide.polynomial(square, {0x1.54719fff58b95p-3, 0x1.738250007a987p-3,
                               0x1.c71fd073e8dc9p-3, 0x1.249246261f7fp-2,
                               0x1.9999999b8b078p-2, 0x1.55555555553b3p-1});
  return {exponent, wide.fma(wide.mul(s, square), p, wide.add(s, s))};
}

Value pruner::math_expansion::logWide(const Arithmetic &wide, Value x) {
  WideLog log = splitLogWide(wide, x);
  return wide.fma(log.exponent, wide.constant(0x1.62e42fefa39efp-1),
                  log.ofMantissa);
}
