//===- Powers.cpp - rsqrt, cbrt, powers -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner::math_expansion;

/// sqrt(1 / x): the root halves the error of the quotient. Scaled by an even
/// power of two if 1 / x would not be a normal number.
Value pruner::math_expansion::expandRsqrt(Arithmetic &arith, Value x) {
  bool isDouble = getElementTypeOrSelf(arith.type()).isF64();
  double limit = isDouble ? 0x1p1000 : 0x1p100;
  double root = isDouble ? 0x1p52 : 0x1p24;
  Value tiny = arith.less(x, arith.constant(1 / limit));
  Value huge = arith.less(arith.constant(limit), x);
  Value one = arith.constant(1);
  auto scaled = [&](Value value, double scale) {
    Value factor = arith.select(huge, arith.constant(1 / scale), one);
    factor = arith.select(tiny, arith.constant(scale), factor);
    return arith.mul(value, factor);
  };
  Value inverse = arith.div(one, scaled(x, root * root));
  Value result = scaled(arith.sqrt(inverse), root);
  // 1 / -0 is -infinity, which has no root; 1 / -infinity is -0, which has one.
  Value zero = arith.constant(0);
  result = arith.select(arith.less(x, zero), arith.nan(), result);
  return arith.select(arith.equal(x, zero), inverse, result);
}

/// x y^2, where y is the inverse of the cube root. The bits give a first
/// estimate with an error below 3.5 %; two steps of Householder's method, of
/// orders four and three, refine it.
Value pruner::math_expansion::expandCbrt(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value a = wide.abs(arith.widen(x));
  OpBuilder &builder = arith.builder();
  Location loc = arith.loc();
  Value high = arith::TruncIOp::create(builder, loc, arith.integerType(),
                                       wide.shiftRight(wide.bits(a), 32));
  Value third = arith::DivUIOp::create(builder, loc, high, arith.integer(3));
  Value guess = arith.subInt(arith.integer(0x553ef084), third);
  Value y = wide.fromBits(wide.shiftLeft(
      arith::ExtUIOp::create(builder, loc, wide.integerType(), guess), 32));
  auto step = [&](Coefficients coefficients) {
    Value square = wide.mul(y, y);
    Value h = wide.fma(wide.neg(wide.mul(a, y)), square, wide.constant(1));
    y = wide.fma(wide.mul(y, h), wide.polynomial(h, coefficients), y);
  };
  step({14.0 / 81, 2.0 / 9, 1.0 / 3});
  step({2.0 / 9, 1.0 / 3});
  Value root = wide.mul(a, wide.mul(y, y));
  root = wide.select(wide.less(a, wide.infinity()), root, a);
  return arith.copySign(arith.narrow(root), x);
}

/// |x|^y = 2^(y log2 |x|) in f64.
static Value powerOfSize(Arithmetic &arith, Value x, Value wideExponent) {
  Arithmetic wide = arith.wide();
  Value size = wide.abs(arith.widen(x));
  WideLog log = splitLogWide(wide, size);
  Value log2 = wide.fma(log.ofMantissa, wide.constant(0x1.71547652b82fep0),
                        log.exponent);
  log2 = wide.select(wide.less(size, wide.infinity()), log2, size);
  log2 = wide.select(wide.equal(size, wide.constant(0)),
                     wide.neg(wide.infinity()), log2);
  Value t = wide.mul(wideExponent, log2);
  t = wide.clampAbove(wide.clampBelow(t, -400), 400);
  return arith.narrow(exp2Wide(wide, t));
}

/// Adds the special values of C's Annex F. For x < 0 the power is real only for
/// integers y, and negative if y is odd. x^0 and 1^y are 1 even for NaN, and so
/// is (-1)^(+-inf).
Value pruner::math_expansion::expandPow(Arithmetic &arith, Value x, Value y) {
  Value power = powerOfSize(arith, x, arith.widen(y));
  Value zero = arith.constant(0), one = arith.constant(1);
  Value half = arith.mul(y, arith.constant(0.5));
  Value isInteger = arith.equal(arith.trunc(y), y);
  // The half of an integer y is exact; for large y it is also an integer.
  Value isEven = arith.equal(arith.trunc(half), half);
  Value signedPower = arith.copySign(power, x);
  Value ofOdd = arith.select(isEven, power, signedPower);
  Value result = arith.select(isInteger, ofOdd, power);

  Value size = arith.abs(x);
  Value negative = arith.less(x, zero);
  Value finite = arith.less(size, arith.infinity());
  Value nothing = arith.select(isInteger, result, arith.nan());
  Value ofNegative = arith.select(finite, nothing, result);
  result = arith.select(negative, ofNegative, result);

  // 1 and, with an infinite exponent, -1.
  Value unit = arith.equal(size, one);
  Value infinite = arith.equal(arith.abs(y), arith.infinity());
  Value ofUnit = arith.select(infinite, one, result);
  result = arith.select(unit, ofUnit, result);
  result = arith.select(arith.equal(x, one), one, result);
  return arith.select(arith.equal(y, zero), one, result);
}

Value pruner::math_expansion::expandPowInt(Arithmetic &arith, Value x,
                                           Value exponent) {
  OpBuilder &builder = arith.builder();
  Location loc = arith.loc();
  Type type = exponent.getType();
  Value wideExponent =
      arith::SIToFPOp::create(builder, loc, arith.wide().type(), exponent);
  Value power = powerOfSize(arith, x, wideExponent);
  auto integer = [&](int64_t value) -> Value {
    TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, attr);
  };
  auto equal = [&](Value a, Value b) {
    return arith.compareInt(arith::CmpIPredicate::eq, a, b);
  };
  Value lowest = arith::AndIOp::create(builder, loc, exponent, integer(1));
  Value result =
      arith.select(equal(lowest, integer(0)), power, arith.copySign(power, x));
  Value one = arith.constant(1);
  return arith.select(equal(exponent, integer(0)), one, result);
}
