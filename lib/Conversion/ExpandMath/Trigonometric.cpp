//===- Trigonometric.cpp - sin, cos, tan ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"
#include "ReduceAngle.h"

using namespace mlir;
using namespace pruner::math_expansion;

/// sin(angle) = r - (excess + r^3 S(r^2)); error of the fit: 2^-26.0. The
/// difference keeps the sign of zero.
static Value sinOf(const Arithmetic &arith, const Angle &x, Value square) {
  Value p =
      arith.polynomial(square, {0x1.9a994p-13, -0x1.110bbcp-7, 0x1.555552p-3});
  Value cube = arith.mul(x.angle, square);
  return arith.sub(x.angle, arith.fma(cube, p, x.excess));
}

/// cos(angle) = 1 + r^2 (r^2 C(r^2) - 1 / 2); error of the fit: 2^-29.6. The
/// excess is ignored: r times half a unit of r is a third of a unit of the
/// cosine.
static Value cosOf(const Arithmetic &arith, Value square) {
  return arith.polynomial(
      square, {0x1.9bb1cap-16, -0x1.6c127cp-10, 0x1.555554p-5, -0.5, 1});
}

/// The sine of x plus `quadrants` quarter turns.
static Value sinAt(Arithmetic &arith, Value x, int quadrants) {
  Angle angle = reduceAngle(arith, x);
  Value quadrant = angle.quadrant;
  if (quadrants != 0)
    quadrant = arith.addInt(quadrant, arith.integer(quadrants));
  Value square = arith.mul(angle.angle, angle.angle);
  Value odd = arith.compareInt(arith::CmpIPredicate::ne,
                               arith.andInt(quadrant, arith.integer(1)),
                               arith.integer(0));
  Value y =
      arith.select(odd, cosOf(arith, square), sinOf(arith, angle, square));
  // The second bit of the quadrant is the sign.
  Value sign = arith.andInt(arith.shiftLeft(quadrant, 30),
                            arith.integer(int32_t(0x80000000)));
  return arith.fromBits(arith.xorInt(arith.bits(y), sign));
}

Value pruner::math_expansion::expandSin(Arithmetic &arith, Value x) {
  return sinAt(arith, x, 0);
}
Value pruner::math_expansion::expandCos(Arithmetic &arith, Value x) {
  return sinAt(arith, x, 1);
}

/// tan(angle) = r + r^3 T(r^2) - excess (1 + tan^2), kept in two parts; error
/// of the fit: 2^-27.7. In odd quadrants the result is -1 divided by it: the
/// quotient of the rounded parts, corrected by its remainder and the error of
/// that. The unrounded parts would not suffice: near a pole the second part is
/// up to a hundredth of the first, and the corrected quotient ignores its
/// square.
Value pruner::math_expansion::expandTan(Arithmetic &arith, Value x) {
  Angle angle = reduceAngle(arith, x);
  Value r = angle.angle, square = arith.mul(r, r);
  Value p = arith.polynomial(
      square, {0x1.061362p-8, 0x1.dd1d2ep-11, 0x1.4c665ep-7, 0x1.6155c8p-6,
               0x1.ba6284p-5, 0x1.111054p-3, 0x1.555556p-2});
  p = arith.mul(arith.mul(r, square), p);
  Value one = arith.constant(1);
  Value high = arith.add(r, p);
  Value lost = arith.add(arith.sub(r, high), p);
  Value slope = arith.fma(high, high, one);
  Value excess = arith.sub(arith.mul(angle.excess, slope), lost);
  Value even = arith.sub(high, excess);
  Value left = arith.sub(excess, arith.sub(high, even));
  Value inverse = arith.div(arith.constant(-1), even);
  Value rest = arith.fma(inverse, even, one);
  rest = arith.fma(arith.neg(inverse), left, rest);
  Value odd = arith.fma(inverse, rest, inverse);
  Value isOdd = arith.compareInt(arith::CmpIPredicate::ne,
                                 arith.andInt(angle.quadrant, arith.integer(1)),
                                 arith.integer(0));
  return arith.select(isOdd, odd, even);
}
