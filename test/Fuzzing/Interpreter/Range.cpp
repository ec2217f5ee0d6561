//===- Range.cpp - ranges of computed numbers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Interpreter/Range.h"

#include "llvm/ADT/APFloat.h"

#include <algorithm>
#include <cfloat>

using namespace pruner;

/// The error of double arithmetic on the ends of ranges.
static constexpr double kSlack = 0x1p-52;

RealType RealType::of(mlir::FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  auto number = [](llvm::APFloat value) {
    bool loses;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &loses);
    return value.convertToDouble();
  };
  int digits = llvm::APFloat::semanticsPrecision(semantics);
  return {std::ldexp(1.0, -digits),
          number(llvm::APFloat::getSmallest(semantics)),
          number(llvm::APFloat::getLargest(semantics)), digits,
          /*determined=*/digits <= 11};
}

double RealType::nearest(double value) const {
  if (digits == 53 || !std::isfinite(value) || value == 0)
    return value;
  int exponent;
  std::frexp(value, &exponent);
  double unit = std::max(std::ldexp(1.0, exponent - digits), smallest);
  double result = std::nearbyint(value / unit) * unit;
  return std::fabs(result) > largest ? std::copysign(RealRange::infinity, value)
                                     : result;
}

bool RealType::holds(double value) const { return nearest(value) == value; }

unsigned pruner::integerWidth(mlir::Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

IntegerRange pruner::allIntegers(unsigned width) {
  if (width == 1)
    return {0, 1};
  int64_t top = int64_t((uint64_t(1) << (width - 1)) - 1);
  return {-top - 1, top};
}

int64_t pruner::wrapInteger(int64_t value, unsigned width) {
  if (width == 64)
    return value;
  if (width == 1)
    return value & 1;
  unsigned unused = 64 - width;
  return int64_t(uint64_t(value) << unused) >> unused;
}

RealRange pruner::rounded(RealRange exact, const RealType &type, double ulps) {
  if (exact.isEmpty())
    return exact;
  if (type.determined) {
    constexpr RealType single{0x1p-24, 0x1p-149, 0x1.fffffep127, 24, false};
    if (ulps > 0)
      exact = rounded(exact, single, ulps);
    return {type.nearest(exact.lo), type.nearest(exact.hi), exact.nan};
  }
  double least = (1 + ulps) * type.smallest;
  double relative = type.roundoff * (1 + 2 * ulps) + kSlack;
  auto slack = [&](double end) {
    return std::isinf(end) ? 0 : std::fabs(end) * relative + least;
  };
  RealRange result{exact.lo - slack(exact.lo), exact.hi + slack(exact.hi),
                   exact.nan};
  // A value that overflows may also become the largest number, or less.
  if (result.hi > type.largest) {
    result.hi = RealRange::infinity;
    if (!std::isinf(exact.lo))
      result.lo = std::min(result.lo, type.largest);
  }
  if (result.lo < -type.largest) {
    result.lo = -RealRange::infinity;
    if (!std::isinf(exact.hi))
      result.hi = std::max(result.hi, -type.largest);
  }
  return result;
}

/// The range over the corners of two ranges, for an operation that is monotone
/// in each operand and NaN only at corners.
template <typename Operation>
static RealRange corners(RealRange a, RealRange b, Operation operation) {
  RealRange result = RealRange::notANumber();
  result.nan = a.nan || b.nan;
  if (a.isEmpty() || b.isEmpty())
    return result;
  for (double x : {a.lo, a.hi})
    for (double y : {b.lo, b.hi})
      result = result.join(RealRange::exactly(operation(x, y)));
  return result;
}

static bool bothPoints(RealRange a, RealRange b) {
  return a.isPoint() && b.isPoint() && std::isfinite(a.lo) &&
         std::isfinite(b.lo);
}

RealRange pruner::add(RealRange a, RealRange b, const RealType &type) {
  if (bothPoints(a, b)) {
    double sum = a.lo + b.lo, part = sum - a.lo;
    double rest = (a.lo - (sum - part)) + (b.lo - part);
    if (rest == 0 && std::isfinite(sum) && type.holds(sum))
      return RealRange::exactly(sum);
  }
  constexpr double inf = RealRange::infinity;
  bool meet = (a.contains(inf) && b.contains(-inf)) ||
              (a.contains(-inf) && b.contains(inf));
  if (meet && !(a.isPoint() && b.isPoint()))
    return RealRange::anything();
  return rounded(corners(a, b, [](double x, double y) { return x + y; }), type);
}

RealRange pruner::subtract(RealRange a, RealRange b, const RealType &type) {
  return add(a, negate(b), type);
}

RealRange pruner::multiply(RealRange a, RealRange b, const RealType &type) {
  if (bothPoints(a, b)) {
    double product = a.lo * b.lo;
    if (std::isfinite(product) && std::fma(a.lo, b.lo, -product) == 0 &&
        (product != 0 || a.lo == 0 || b.lo == 0) && type.holds(product))
      return RealRange::exactly(product);
  }
  RealRange product = corners(a, b, [](double x, double y) { return x * y; });
  auto meets = [](RealRange x, RealRange y) {
    return x.contains(0) && (std::isinf(y.lo) || std::isinf(y.hi));
  };
  if ((meets(a, b) || meets(b, a)) && !(a.isPoint() && b.isPoint()))
    return RealRange::anything();
  return rounded(product, type);
}

RealRange pruner::divide(RealRange a, RealRange b, const RealType &type) {
  if (a.isEmpty() || b.isEmpty())
    return RealRange::notANumber();
  if (b.contains(0)) {
    RealRange all = RealRange::anything();
    all.nan = a.nan || b.nan || a.contains(0) ||
              (std::isinf(a.magnitude()) && std::isinf(b.magnitude()));
    if (a.isPoint() && b.isPoint() && a.lo == 0)
      return RealRange::notANumber();
    return all;
  }
  if (bothPoints(a, b)) {
    double quotient = a.lo / b.lo;
    if (std::isfinite(quotient) && std::fma(quotient, b.lo, -a.lo) == 0 &&
        (quotient != 0 || a.lo == 0) && type.holds(quotient))
      return RealRange::exactly(quotient);
  }
  RealRange quotient = corners(a, b, [](double x, double y) { return x / y; });
  if (std::isinf(a.magnitude()) && std::isinf(b.magnitude()) &&
      !(a.isPoint() && b.isPoint()))
    return RealRange::anything();
  return rounded(quotient, type);
}

RealRange pruner::remainder(RealRange a, RealRange b, const RealType &type) {
  if (a.isPoint() && b.isPoint())
    return rounded(RealRange::exactly(std::fmod(a.lo, b.lo)), type);
  return RealRange::anything();
}

RealRange pruner::negate(RealRange a) { return {-a.hi, -a.lo, a.nan}; }

RealRange pruner::absolute(RealRange a) {
  if (a.isEmpty() || a.lo >= 0)
    return a;
  if (a.hi <= 0)
    return negate(a);
  return {0, std::max(-a.lo, a.hi), a.nan};
}

RealRange pruner::larger(RealRange a, RealRange b, bool propagate) {
  if (a.isEmpty() || b.isEmpty()) {
    if (propagate)
      return RealRange::notANumber();
    return a.isEmpty() ? b : a;
  }
  RealRange result{std::max(a.lo, b.lo), std::max(a.hi, b.hi),
                   propagate ? a.nan || b.nan : a.nan && b.nan};
  // If one operand may be NaN, the result may be the other one.
  if (!propagate && (a.nan || b.nan))
    result.lo = std::min(a.nan ? b.lo : result.lo, b.nan ? a.lo : result.lo);
  return result;
}

RealRange pruner::smaller(RealRange a, RealRange b, bool propagate) {
  return negate(larger(negate(a), negate(b), propagate));
}

void SumRange::add(const RealRange &term) {
  ++terms;
  nan |= term.nan;
  if (term.isEmpty()) {
    certainlyNaN = true;
    return;
  }
  exact &= term.isPoint() && std::isfinite(term.lo) &&
           std::nearbyint(term.lo) == term.lo;
  lo += term.lo;
  hi += term.hi;
  if (std::isfinite(term.lo) && std::isfinite(term.hi))
    magnitudes += term.magnitude();
}

RealRange SumRange::total(const RealType &type) const {
  if (certainlyNaN)
    return RealRange::notANumber();
  // Sums of integers are exact if all partial sums are representable.
  if (exact && !nan && magnitudes <= std::ldexp(1.0, type.digits))
    return RealRange::exactly(lo);
  if (std::isnan(lo) && std::isnan(hi))
    return RealRange::notANumber();
  if (std::isnan(lo) || std::isnan(hi))
    return RealRange::anything();
  double error =
      double(terms) * (type.roundoff + kSlack) * magnitudes + type.smallest;
  if (flushes)
    error += 2 * double(terms) * FLT_MIN;
  // A partial sum may overflow even if the whole sum does not, and then meet an
  // infinity of the other sign, like two terms.
  bool overflows = magnitudes + error > type.largest;
  if (overflows && !std::isinf(lo) && !std::isinf(hi))
    return RealRange::anything();
  bool opposite = std::isinf(lo) && std::isinf(hi) && lo < hi;
  return {lo - error, hi + error, nan || overflows || opposite};
}
