//===- Functions.h - references for the generated functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  /// MLIR text that computes `%r` from `%a` and `%b`. V stands for the type;
  /// `%n` is a vector of i32 filled with `exponent`.
  const char *source;
  unsigned arity;
  double (*inDouble)(double, double);
  long double (*inLong)(long double, long double);
  /// Correctly rounded; null if `inDouble` and `inLong` are exact.
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  /// Either sign of zero is right
  /// (docs/design/decisions/0004-signs-of-zero.md).
  bool freeSignOfZero = false;
  /// Type of the result, if different.
  const char *resultType = nullptr;
  /// The only type that it supports; null for all types.
  const char *onlyType = nullptr;
  /// Generated f64 code calls `inLong` itself, so compare with `exact`.
  bool usesLong = false;
};

llvm::ArrayRef<Function> allFunctions();

/// Returns `exact` with 64 bits, or `inLong`.
long double referenceOf(const Function &function, long double x, long double y);

/// Returns the correctly rounded result. Functions of one number ignore `y`.
uint64_t correctlyRounded(const Function &function, const Format &format,
                          long double x, long double y);

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_FUNCTIONS_H
