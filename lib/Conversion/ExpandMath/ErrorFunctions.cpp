//===- ErrorFunctions.cpp - erf, erfc -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

using namespace mlir;
using namespace pruner::math_expansion;

/// erf(x). Up to 1.22: x + x P(x^2), error of the fit 2^-29.3. The coefficients
/// are fitted up to 1.25, but beyond 1.22 the rounding of P counts twice as
/// much. From 1.22 to 3.84, where 1 is one of the two neighbors of the result:
/// a polynomial around a point whose value is nearly an f32, absolute error
/// 2^-25.7. Neither uses a division or an exponential, each of which would take
/// CPUs with long vectors and GPUs longer than both polynomials.
Value pruner::math_expansion::expandErf(Arithmetic &arith, Value x) {
  constexpr double kPlace = 0x1.3b76a4p+1, kValue = 0x1.ffbf98p-1;
  Value size = arith.abs(x);
  Value square = arith.mul(x, x);
  Value p = arith.polynomial(
      square, {-0x1.fef07p-18, 0x1.b5153ap-14, -0x1.b598aep-11, 0x1.556f62p-8,
               -0x1.b81662p-6, 0x1.ce2e16p-4, -0x1.812742p-2, 0x1.06eba8p-3});
  Value small = arith.fma(p, size, size);
  Value t = arith.sub(size, arith.constant(kPlace));
  Value large = arith.polynomial(
      t, {0x1.bfc76p-19, -0x1.948e7cp-17, 0x1.a9a634p-18, 0x1.1b2372p-14,
          -0x1.0fc362p-12, 0x1.70cc54p-12, 0x1.c75a1cp-12, -0x1.7f723p-9,
          0x1.b99a6cp-8, -0x1.3fcdb6p-7, 0x1.3c2df6p-7, -0x1.a3845ap-8,
          0x1.54768ep-9, kValue});
  Value one = arith.atLeast(size, arith.constant(3.84));
  large = arith.select(one, arith.constant(1), large);
  Value isSmall = arith.less(size, arith.constant(1.2));
  return arith.copySign(arith.select(isSmall, small, large), x);
}

/// For a >= 0 up to the end of f32: erfc(a) = exp(-a^2) P(t) / (1 + 2 a) with t
/// = (a - 3) / (a + 3), error of the fit 2^-34.5. Below zero: 2 - erfc(-x).
Value pruner::math_expansion::expandErfc(Arithmetic &arith, Value x) {
  Arithmetic wide = arith.wide();
  Value whole = arith.widen(x);
  Value a = wide.clampAbove(wide.abs(whole), 10.25);
  Value three = wide.constant(3), two = wide.constant(2);
  Value sum = wide.add(a, three);
  Value linear = wide.fma(a, two, wide.constant(1));
  Value inverse = wide.div(wide.constant(1), wide.mul(sum, linear));
  Value t = wide.mul(wide.mul(wide.sub(a, three), linear), inverse);
  Value p = wide.polynomial(
      t, {0x1.1468657bf6cdap-15, 0x1.08dd610515a4p-13, -0x1.0a5703a276076p-13,
          -0x1.9e1ba6e4d3b8p-11, 0x1.f0a12b86561f4p-10, 0x1.4c13e5f3daf6cp-9,
          -0x1.857739e1553cp-6, 0x1.17c974fb90028p-4, -0x1.e88b7c691a462p-4,
          0x1.09836c7252d0dp-3, -0x1.85a15c2726957p-5, -0x1.15c084d6c3c65p-3,
          0x1.40c522d7e104p0});
  Value e = expWide(wide, wide.neg(wide.mul(a, a)));
  Value y = wide.mul(wide.mul(e, p), wide.mul(sum, inverse));
  Value negative = wide.less(whole, wide.constant(0));
  return arith.narrow(wide.select(negative, wide.sub(two, y), y));
}
