//===- RealFunctions.cpp - math functions on ranges -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pruner;

namespace {
/// A function that is monotone on its domain.
struct Monotone {
  double (*value)(double);
  /// The domain; NaN outside.
  double from, to;
  /// The limits of the exact function, which it never exceeds.
  double least, most;
};
} // namespace

static constexpr double kInf = RealRange::infinity;

/// Error of compiled functions in units in the last place: they give the
/// correctly rounded result or its neighbor (docs/results/Math.md). The C
/// library's functions on doubles represent the exact ones.
static double ulps(const RealType &type) {
  constexpr double library = 6;
  return 1 + library * 0x1p-53 / type.roundoff;
}

static const Monotone *monotone(StringRef name) {
  static const StringMap<Monotone> all = {
      {"math.exp", {std::exp, -kInf, kInf, 0, kInf}},
      {"math.exp2", {std::exp2, -kInf, kInf, 0, kInf}},
      {"math.expm1", {std::expm1, -kInf, kInf, -1, kInf}},
      {"math.log", {std::log, 0, kInf, -kInf, kInf}},
      {"math.log2", {std::log2, 0, kInf, -kInf, kInf}},
      {"math.log10", {std::log10, 0, kInf, -kInf, kInf}},
      {"math.log1p", {std::log1p, -1, kInf, -kInf, kInf}},
      {"math.sqrt", {std::sqrt, 0, kInf, 0, kInf}},
      {"math.cbrt", {std::cbrt, -kInf, kInf, -kInf, kInf}},
      {"math.rsqrt",
       {[](double x) { return 1 / std::sqrt(x + 0.0); }, 0, kInf, 0, kInf}},
      {"math.erf", {std::erf, -kInf, kInf, -1, 1}},
      {"math.erfc", {std::erfc, -kInf, kInf, 0, 2}},
      {"math.tanh", {std::tanh, -kInf, kInf, -1, 1}},
      {"math.sinh", {std::sinh, -kInf, kInf, -kInf, kInf}},
      {"math.atan", {std::atan, -kInf, kInf, -1.6, 1.6}},
      {"math.asin", {std::asin, -1, 1, -1.6, 1.6}},
      {"math.acos", {std::acos, -1, 1, 0, 3.2}},
      {"math.asinh", {std::asinh, -kInf, kInf, -kInf, kInf}},
      {"math.acosh", {std::acosh, 1, kInf, 0, kInf}},
      {"math.atanh", {std::atanh, -1, 1, -kInf, kInf}},
  };
  auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

static RealRange apply(const Monotone &function, RealRange x,
                       const RealType &type, double error) {
  RealRange result = RealRange::notANumber();
  result.nan = x.nan || x.lo < function.from || x.hi > function.to;
  double lo = std::max(x.lo, function.from), hi = std::min(x.hi, function.to);
  if (x.isEmpty() || lo > hi)
    return RealRange::notANumber();
  for (double end : {lo, hi})
    result = result.join(RealRange::exactly(function.value(end)));
  result = rounded(result, type, error);
  // A function does not exceed its limit if that is a number of the type.
  result.lo = std::max(result.lo, function.least);
  result.hi = std::min(result.hi, function.most);
  return result;
}

/// Functions that change by at most the change of their argument: sine and
/// cosine.
static RealRange wave(double (*value)(double), RealRange x,
                      const RealType &type) {
  if (x.isEmpty() || (x.isPoint() && std::isinf(x.lo)))
    return RealRange::notANumber();
  if (std::isinf(x.magnitude()))
    return {-1, 1, true};
  double middle = value(x.lo / 2 + x.hi / 2), half = x.hi / 2 - x.lo / 2;
  RealRange result{middle - half, middle + half, x.nan};
  result = rounded(result, type, ulps(type));
  return {std::max(result.lo, -1.0), std::min(result.hi, 1.0), x.nan};
}

static RealRange tangent(RealRange x, const RealType &type) {
  if (x.isEmpty() || (x.isPoint() && std::isinf(x.lo)))
    return RealRange::notANumber();
  double lo = std::tan(x.lo), hi = std::tan(x.hi);
  if (!(x.hi - x.lo < 1) || lo > hi || std::fabs(lo) > 1e3 ||
      std::fabs(hi) > 1e3)
    return RealRange::anything();
  return rounded({lo, hi, x.nan}, type, ulps(type));
}

static RealRange hyperbolicCosine(RealRange x, const RealType &type) {
  x = absolute(x);
  if (x.isEmpty())
    return x;
  return rounded({std::cosh(x.lo), std::cosh(x.hi), x.nan}, type, ulps(type));
}

static RealRange power(RealRange x, RealRange y, const RealType &type) {
  if (y.isPoint() && y.lo == 0)
    return RealRange::exactly(1);
  if (x.isPoint() && x.lo == 1)
    return RealRange::exactly(1);
  if (x.isEmpty() || y.isEmpty())
    return RealRange::notANumber();
  RealRange result = RealRange::notANumber();
  result.nan = x.nan || y.nan;
  bool integral = y.isPoint() && std::nearbyint(y.lo) == y.lo;
  if (x.lo < 0 && !integral) {
    if (!x.isPoint() || !y.isPoint())
      return RealRange::anything();
  }
  auto at = [&](double base) {
    for (double exponent : {y.lo, y.hi})
      result = result.join(RealRange::exactly(std::pow(base, exponent)));
  };
  at(x.lo);
  at(x.hi);
  if (x.lo <= 0 && x.hi >= 0) { // The pole, on both sides.
    if (y.lo < 0)
      return RealRange::anything();
    at(0);
  }
  if (y.contains(0) || x.contains(1))
    result = result.join(RealRange::exactly(1));
  return rounded(result, type, ulps(type));
}

static RealRange arcTangent(RealRange y, RealRange x, const RealType &type) {
  if (y.isEmpty() || x.isEmpty())
    return RealRange::notANumber();
  // The branch cut, and zeros of unknown sign.
  if (x.lo <= 0 && y.contains(0))
    return {-numbers::pi - 1e-2, numbers::pi + 1e-2, x.nan || y.nan};
  RealRange result = RealRange::notANumber();
  result.nan = x.nan || y.nan;
  for (double a : {y.lo, y.hi})
    for (double b : {x.lo, x.hi})
      result = result.join(RealRange::exactly(std::atan2(a, b)));
  return rounded(result, type, ulps(type));
}

std::function<RealRange(ArrayRef<RealRange>)>
pruner::realFunction(mlir::Operation *op) {
  auto floatType = op->getNumResults() == 1
                       ? dyn_cast<mlir::FloatType>(op->getResult(0).getType())
                       : mlir::FloatType();
  if (!floatType)
    return nullptr;
  RealType type = resultType(op, floatType);
  StringRef name = op->getName().getStringRef();
  using Ranges = ArrayRef<RealRange>;
  if (const Monotone *function = monotone(name)) {
    // Rounding a root to double and then to the type gives the same as rounding
    // it once.
    double error = name == "math.sqrt" && type.determined ? 0 : ulps(type);
    return [=](Ranges x) { return apply(*function, x[0], type, error); };
  }
  auto exact = [](double (*value)(double)) {
    return [=](Ranges x) -> RealRange {
      return x[0].isEmpty()
                 ? x[0]
                 : RealRange{value(x[0].lo), value(x[0].hi), x[0].nan};
    };
  };
  if (name == "math.floor")
    return exact(std::floor);
  if (name == "math.ceil")
    return exact(std::ceil);
  if (name == "math.trunc")
    return exact(std::trunc);
  if (name == "math.round")
    return exact(std::round);
  if (name == "math.roundeven")
    return exact(std::nearbyint);
  if (name == "math.sin")
    return [=](Ranges x) { return wave(std::sin, x[0], type); };
  if (name == "math.cos")
    return [=](Ranges x) { return wave(std::cos, x[0], type); };
  if (name == "math.tan")
    return [=](Ranges x) { return tangent(x[0], type); };
  if (name == "math.cosh")
    return [=](Ranges x) { return hyperbolicCosine(x[0], type); };
  if (name == "math.absf")
    return [](Ranges x) { return absolute(x[0]); };
  if (name == "math.powf")
    return [=](Ranges x) { return power(x[0], x[1], type); };
  if (name == "math.atan2")
    return [=](Ranges x) { return arcTangent(x[0], x[1], type); };
  if (name == "math.copysign")
    return [](Ranges x) {
      RealRange size = absolute(x[0]);
      if (x[1].isEmpty() || x[1].nan || x[1].contains(0) ||
          (x[1].lo < 0 && x[1].hi > 0))
        return size.join(negate(size));
      return x[1].lo > 0 ? size : negate(size);
    };
  if (name == "math.fma") {
    // Rounded to the type once.
    RealType inside =
        type.determined ? RealType::of(mlir::Float64Type::get(op->getContext()))
                        : type;
    return [=](Ranges x) {
      RealRange sum = add(multiply(x[0], x[1], inside), x[2], inside);
      return type.determined ? rounded(sum, type) : sum;
    };
  }
  return nullptr;
}
