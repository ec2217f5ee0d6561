//===- Functions.h - what the generated functions are compared with -*- C++
//-*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TOOLS_CHECKMATH_FUNCTIONS_H
#define PRUNER_TOOLS_CHECKMATH_FUNCTIONS_H

#include "Formats.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>

#include <mpfr.h>

namespace pruner::checkmath {

/// A function of one or two numbers, in two precisions of the C library and in
/// any precision.
struct Function {
  const char *name;
  /// MLIR of `%r` from `%a`, `%b`, with V for the type; `%n` is a vector of
  /// i32, `exponent` everywhere.
  const char *source;
  unsigned arity;
  double (*inDouble)(double, double);
  long double (*inLong)(long double, long double);
  /// Exactly rounded; null where `inDouble` and `inLong` are exact.
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  /// Of zeros, the sign is free (docs/design/decisions/0004-signs-of-zero.md).
  bool freeSignOfZero = false;
  /// The type of the result, if another.
  const char *resultType = nullptr;
  /// The only type it is for, if not all.
  const char *onlyType = nullptr;
  /// For f64 generated code calls `inLong` itself: compare with `exact`.
  bool usesLong = false;
};

llvm::ArrayRef<Function> allFunctions();

/// `exact` with 64 bits, or `inLong`.
long double referenceOf(const Function &function, long double x, long double y);

/// The correctly rounded result. `y` is not used by functions of one number.
uint64_t correctlyRounded(const Function &function, const Format &format,
                          long double x, long double y);

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_FUNCTIONS_H
