//===- InverseTrigonometric.cpp - asin, acos, atan, atan2 -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

using namespace mlir;
using namespace pruner::math_expansion;

constexpr double kPi = 0x1.921fb54442d18p1, kHalfPi = 0x1.921fb54442d18p0;

/// atan of 0 <= q <= 1 in f64. Error of the fit: 2^-33.9.
static Value atanOfUnit(const Arithmetic &wide, Value q) {
  Value square = wide.mul(q, q);
  Value p = wide.polynomial(
      square,
      {0x1.476d53165de41p-11, -0x1.200e6ddfafac1p-8, 0x1.dab78bfcbbe3ep-7,
       -0x1.f33f717f41f6cp-6, 0x1.874595a7a8a89p-5, -0x1.00e188c32ac8ap-4,
       0x1.371b408c02f7ep-4, -0x1.73bad98e1abd3p-4, 0x1.c70ce9e5791acp-4,
       -0x1.2491e5d7e4e2fp-3, 0x1.999997a599034p-3, -0x1.55555554849ep-2});
  return wide.fma(wide.mul(q, square), p, q);
}

/// atan(x) = pi/2 - atan(1 / x) beyond 1.
Value pruner::math_expansion::expandAtan(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value size = wide.abs(arith.widen(x)), one = wide.constant(1);
  Value large = wide.less(one, size);
  Value q = wide.select(large, wide.div(one, size), size);
  Value y = atanOfUnit(wide, q);
  y = wide.select(large, wide.sub(wide.constant(kHalfPi), y), y);
  return arith.copySign(arith.narrow(y), x);
}

/// The angle of the smaller over the larger magnitude, moved to the correct
/// octant. f64 always represents this quotient. 0 / 0 counts as 0, infinity
/// over infinity as 1.
Value pruner::math_expansion::expandAtan2(Arithmetic &arith, Value y, Value x) {
  Arithmetic wide = arith.wide();
  Value a = wide.abs(arith.widen(y)), b = wide.abs(arith.widen(x));
  Value one = wide.constant(1);
  Value steep = wide.less(b, a);
  Value smaller = wide.select(steep, b, a), larger = wide.select(steep, a, b);
  Value q = wide.div(smaller, larger);
  q = wide.select(wide.equal(larger, wide.constant(0)), smaller, q);
  q = wide.select(wide.equal(smaller, wide.infinity()), one, q);
  Value angle = atanOfUnit(wide, q);
  angle = wide.select(steep, wide.sub(wide.constant(kHalfPi), angle), angle);
  // Decided by the sign bit of x, which zeros also have.
  Value left = wide.less(wide.copySign(one, arith.widen(x)), wide.constant(0));
  angle = wide.select(left, wide.sub(wide.constant(kPi), angle), angle);
  Value result = arith.copySign(arith.narrow(angle), y);
  Value sum = arith.add(x, y);
  Value unordered = arith::CmpFOp::create(arith.builder(), arith.loc(),
                                          arith::CmpFPredicate::UNO, x, y);
  return arith.select(unordered, sum, result);
}

namespace {
/// The arc sine of |x| is `angle` up to 1/2, and pi/2 - 2 `angle` beyond, where
/// `angle` is the arc sine of sqrt((1 - |x|) / 2). Error of the fit: 2^-42.2.
struct ArcSine {
  Value large, angle;
};
} // namespace

static ArcSine arcSine(const Arithmetic &wide, Value size) {
  Value half = wide.constant(0.5);
  Value large = wide.less(half, size);
  Value rest = wide.fma(size, wide.constant(-0.5), half);
  Value square = wide.select(large, rest, wide.mul(size, size));
  Value root = wide.select(large, wide.sqrt(rest), size);
  Value p = wide.polynomial(
      square,
      {0x1.d405b101a1a26p-6, 0x1.bd0e8026c874cp-11, 0x1.15c0cc62f3904p-6,
       0x1.14a0941fd8d64p-6, 0x1.6f3da77c4e9fbp-6, 0x1.f1be251762aap-6,
       0x1.6db6f839f3118p-5, 0x1.3333330fb110bp-4, 0x1.555555555c88bp-3});
  return {large, wide.fma(wide.mul(root, square), p, root)};
}

Value pruner::math_expansion::expandAsin(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  ArcSine arc = arcSine(wide, wide.abs(arith.widen(x)));
  Value beyond = wide.fma(arc.angle, wide.constant(-2), wide.constant(kHalfPi));
  Value y = wide.select(arc.large, beyond, arc.angle);
  return arith.copySign(arith.narrow(y), x);
}

Value pruner::math_expansion::expandAcos(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value whole = arith.widen(x);
  ArcSine arc = arcSine(wide, wide.abs(whole));
  Value twice = wide.add(arc.angle, arc.angle);
  Value negative = wide.less(whole, wide.constant(0));
  Value beyond =
      wide.select(negative, wide.sub(wide.constant(kPi), twice), twice);
  Value near =
      wide.sub(wide.constant(kHalfPi), wide.copySign(arc.angle, whole));
  return arith.narrow(wide.select(arc.large, beyond, near));
}
