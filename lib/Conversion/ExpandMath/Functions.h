//===- Functions.h - functions as arithmetic --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Each function takes f32 values in the shape of `arith` and returns a result
// of the same shape. The error is at most one ulp for every argument, and
// special values follow C's Annex F. Functions that need more precision than
// f32 compute in f64 and round once. The polynomials are minimax fits of this
// project (Sollya's fpminimax). The stated errors of fits are relative to the
// function and exclude rounding.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
#define PRUNER_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H

#include "Arithmetic.h"

#include "mlir/IR/PatternMatch.h"

namespace pruner::math_expansion {

Value expandExp(Arithmetic &arith, Value x);
Value expandExp2(Arithmetic &arith, Value x);
Value expandExpM1(Arithmetic &arith, Value x);

Value expandLog(Arithmetic &arith, Value x);
Value expandLog2(Arithmetic &arith, Value x);
Value expandLog10(Arithmetic &arith, Value x);
Value expandLog1p(Arithmetic &arith, Value x);

Value expandSin(Arithmetic &arith, Value x);
Value expandCos(Arithmetic &arith, Value x);
Value expandTan(Arithmetic &arith, Value x);

Value expandAsin(Arithmetic &arith, Value x);
Value expandAcos(Arithmetic &arith, Value x);
Value expandAtan(Arithmetic &arith, Value x);
Value expandAtan2(Arithmetic &arith, Value y, Value x);

Value expandSinh(Arithmetic &arith, Value x);
Value expandCosh(Arithmetic &arith, Value x);
Value expandTanh(Arithmetic &arith, Value x);
Value expandAsinh(Arithmetic &arith, Value x);
Value expandAcosh(Arithmetic &arith, Value x);
Value expandAtanh(Arithmetic &arith, Value x);

Value expandErf(Arithmetic &arith, Value x);
Value expandErfc(Arithmetic &arith, Value x);

/// For f32 or f64.
Value expandRsqrt(Arithmetic &arith, Value x);
Value expandCbrt(Arithmetic &arith, Value x);
Value expandPow(Arithmetic &arith, Value x, Value y);
/// x to the power of integers of any width in the shape of x.
Value expandPowInt(Arithmetic &arith, Value x, Value exponent);

/// Patterns for powf, fpowi and rsqrt, including f64 where the error of the C
/// library or LLVM would be larger.
void populatePowerPatterns(mlir::RewritePatternSet &patterns);

// Parts in f64 for the functions above. `wide` emits f64.

/// 2^x for |x| < 1000, with a relative error of 2^-38.
Value exp2Wide(const Arithmetic &wide, Value x);
/// exp(x) for |x| < 690.
Value expWide(const Arithmetic &wide, Value x);

/// Decomposition of a positive normal number x = 2^exponent m with m between
/// sqrt(1/2) and sqrt(2): the exponent and the natural logarithm of m, with a
/// relative error of 2^-50. Unspecified for other numbers, infinity and NaN.
struct WideLog {
  Value exponent, ofMantissa;
};
WideLog splitLogWide(const Arithmetic &wide, Value x);
/// The natural logarithm of such a number.
Value logWide(const Arithmetic &wide, Value x);

} // namespace pruner::math_expansion

#endif // PRUNER_LIB_CONVERSION_EXPANDMATH_FUNCTIONS_H
