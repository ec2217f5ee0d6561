//===- Functions.cpp - references for the generated functions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include <cmath>

using namespace pruner::checkmath;

// The same expression in double and long double.
#define BOTH(expression)                                                       \
  [](double x, double y) -> double {                                           \
    using T = double;                                                          \
    (void)y;                                                                   \
    (void)sizeof(T);                                                           \
    return expression;                                                         \
  },                                                                           \
      [](long double x, long double y) -> long double {                        \
        using T = long double;                                                 \
        (void)y;                                                               \
        (void)sizeof(T);                                                       \
        return expression;                                                     \
      }
#define EXACT(function)                                                        \
  [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t mode) {                \
    return mpfr_##function(r, x, mode);                                        \
  }
#define POWER(exponent)                                                        \
  [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr, mpfr_rnd_t mode) {                \
    mpfr_t n;                                                                  \
    mpfr_init2(n, 64);                                                         \
    mpfr_set_d(n, exponent, MPFR_RNDN);                                        \
    int inexact = mpfr_pow(r, x, n, mode);                                     \
    mpfr_clear(n);                                                             \
    return inexact;                                                            \
  }
/// f64 in the precision of x87 (pruner-call-math-library).
#define LONG(name)                                                             \
  {#name,       "%r = math." #name " %a : V",                                  \
   1,           BOTH(std::name(x)),                                            \
   EXACT(name), false,                                                         \
   nullptr,     nullptr,                                                       \
   true}
#define MATH(name) "%r = math." name " %a : V"
#define CONSTANT_POWER(name, value)                                            \
  {name,                                                                       \
   "%p = arith.constant dense<" #value "> : V\n"                               \
   "%r = math.powf %a, %p : V",                                                \
   1, BOTH(std::pow(x, T(value))), POWER(value)}
#define INTEGER_POWER(name, value)                                             \
  {name,                                                                       \
   "%p = arith.constant dense<" #value "> : vector<16xi32>\n"                  \
   "%r = math.fpowi %a, %p : V, vector<16xi32>",                               \
   1, BOTH(std::pow(x, T(value))), POWER(value)}
#define DIVISION(name, value)                                                  \
  {name,                                                                       \
   "%d = arith.constant dense<" #value "> : V\n"                               \
   "%r = arith.divf %a, %d : V",                                               \
   1,                                                                          \
   BOTH(x / T(float(value))),                                                  \
   nullptr,                                                                    \
   false,                                                                      \
   nullptr,                                                                    \
   "f32"}

/// arith.maximumf: NaN if an operand is NaN.
template <typename T> static T maximum(T x, T y) {
  return std::isnan(x) || std::isnan(y) ? x + y : std::fmax(x, y);
}
template <typename T> static T minimum(T x, T y) {
  return std::isnan(x) || std::isnan(y) ? x + y : std::fmin(x, y);
}

const Function kFunctions[] = {
    {"exp", MATH("exp"), 1, BOTH(std::exp(x)), EXACT(exp)},
    {"exp2", MATH("exp2"), 1, BOTH(std::exp2(x)), EXACT(exp2)},
    {"expm1", MATH("expm1"), 1, BOTH(std::expm1(x)), EXACT(expm1)},
    {"log", MATH("log"), 1, BOTH(std::log(x)), EXACT(log)},
    {"log2", MATH("log2"), 1, BOTH(std::log2(x)), EXACT(log2)},
    LONG(log10),
    {"log1p", MATH("log1p"), 1, BOTH(std::log1p(x)), EXACT(log1p)},
    {"sin", MATH("sin"), 1, BOTH(std::sin(x)), EXACT(sin)},
    {"cos", MATH("cos"), 1, BOTH(std::cos(x)), EXACT(cos)},
    {"tan", MATH("tan"), 1, BOTH(std::tan(x)), EXACT(tan)},
    {"asin", MATH("asin"), 1, BOTH(std::asin(x)), EXACT(asin)},
    {"acos", MATH("acos"), 1, BOTH(std::acos(x)), EXACT(acos)},
    {"atan", MATH("atan"), 1, BOTH(std::atan(x)), EXACT(atan)},
    LONG(sinh),
    LONG(cosh),
    LONG(tanh),
    LONG(asinh),
    LONG(acosh),
    LONG(atanh),
    {"erf", MATH("erf"), 1, BOTH(std::erf(x)), EXACT(erf)},
    LONG(erfc),
    {"sqrt", MATH("sqrt"), 1, BOTH(std::sqrt(x)), EXACT(sqrt)},
    {"rsqrt", MATH("rsqrt"), 1, BOTH(1 / std::sqrt(x)), EXACT(rec_sqrt)},
    LONG(cbrt),
    CONSTANT_POWER("powf_0.5", 0.5),
    CONSTANT_POWER("powf_-0.5", -0.5),
    CONSTANT_POWER("powf_2", 2.0),
    CONSTANT_POWER("powf_3", 3.0),
    CONSTANT_POWER("powf_4", 4.0),
    CONSTANT_POWER("powf_-3", -3.0),
    CONSTANT_POWER("powf_1.5", 1.5),
    INTEGER_POWER("fpowi_2", 2),
    INTEGER_POWER("fpowi_3", 3),
    INTEGER_POWER("fpowi_7", 7),
    INTEGER_POWER("fpowi_-1", -1),
    INTEGER_POWER("fpowi_-2", -2),
    INTEGER_POWER("fpowi_13", 13),
    DIVISION("div_by_3", 3.0),
    DIVISION("div_by_1e-30", 1.0e-30),
    DIVISION("div_by_1e9", 1.0e9),
    {"ceil", MATH("ceil"), 1, BOTH(std::ceil(x)), nullptr},
    {"floor", MATH("floor"), 1, BOTH(std::floor(x)), nullptr},
    {"trunc", MATH("trunc"), 1, BOTH(std::trunc(x)), nullptr},
    {"round", MATH("round"), 1, BOTH(std::round(x)), nullptr},
    {"roundeven", MATH("roundeven"), 1, BOTH(std::nearbyint(x)), nullptr},
    {"truncf_bf16", "%r = arith.truncf %a : V to W", 1, BOTH(x), nullptr, false,
     "bf16"},
    {"truncf_f16", "%r = arith.truncf %a : V to W", 1, BOTH(x), nullptr, false,
     "f16"},
    {"atan2", "%r = math.atan2 %a, %b : V", 2, BOTH(std::atan2(x, y)),
     mpfr_atan2},
    {"powf", "%r = math.powf %a, %b : V", 2, BOTH(std::pow(x, y)), mpfr_pow},
    {"remf", "%r = arith.remf %a, %b : V", 2, BOTH(std::fmod(x, y)), nullptr},
    {"maximumf", "%r = arith.maximumf %a, %b : V", 2, BOTH(maximum(x, y)),
     nullptr, true},
    {"minimumf", "%r = arith.minimumf %a, %b : V", 2, BOTH(minimum(x, y)),
     nullptr, true},
    {"maxnumf", "%r = arith.maxnumf %a, %b : V", 2, BOTH(std::fmax(x, y)),
     nullptr, true},
    {"minnumf", "%r = arith.minnumf %a, %b : V", 2, BOTH(std::fmin(x, y)),
     nullptr, true},
};

llvm::ArrayRef<Function> pruner::checkmath::allFunctions() {
  return kFunctions;
}

long double pruner::checkmath::referenceOf(const Function &function,
                                           long double x, long double y) {
  if (!function.usesLong)
    return function.inLong(x, y);
  mpfr_t a, b, r;
  mpfr_inits2(64, a, b, r, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_ld(a, x, MPFR_RNDN);
  mpfr_set_ld(b, y, MPFR_RNDN);
  function.exact(r, a, b, MPFR_RNDN);
  long double value = mpfr_get_ld(r, MPFR_RNDN);
  mpfr_clears(a, b, r, static_cast<mpfr_ptr>(nullptr));
  return value;
}

uint64_t pruner::checkmath::correctlyRounded(const Function &function,
                                             const Format &format,
                                             long double x, long double y) {
  if (!function.exact)
    return roundTo(format, function.inLong(x, y));
  mpfr_t a, b, r;
  mpfr_inits2(64, a, b, static_cast<mpfr_ptr>(nullptr));
  mpfr_init2(r, format.precision);
  // MPFR's exponents are those of numbers below 1. Set the arguments before the
  // range is reduced.
  mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_set_ld(a, x, MPFR_RNDN);
  mpfr_set_ld(b, y, MPFR_RNDN);
  mpfr_set_emin(format.leastExponent - int(format.precision) + 2);
  mpfr_set_emax(2 - format.leastExponent);
  int inexact = function.exact(r, a, b, MPFR_RNDN);
  inexact = mpfr_check_range(r, inexact, MPFR_RNDN);
  mpfr_subnormalize(r, inexact, MPFR_RNDN);
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  long double settled = mpfr_get_ld(r, MPFR_RNDN);
  mpfr_clears(a, b, r, static_cast<mpfr_ptr>(nullptr));
  return roundTo(format, settled);
}
