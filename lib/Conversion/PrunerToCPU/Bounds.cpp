//===- Bounds.cpp - intervals of the values of a body ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace pruner;

static constexpr double kInfinity = Bounds::kInfinity;

double pruner::largestFinite(Type type) {
  return APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
      .convertToDouble();
}

/// `value` rounded to `type`, to nearest. Rounding is monotonic, so it can be
/// applied to the ends of intervals. Sums, products and quotients of types of
/// at most half the width are rounded in the same way if they are computed as
/// doubles first.
static double rounded(double value, Type type) {
  APFloat number(value);
  bool inexact = false;
  number.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

static Bounds unite(const Bounds &a, const Bounds &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan};
}

/// The interval of a function of two numbers that has its extremes where both
/// numbers are at the ends of their intervals.
static Bounds fromEnds(const Bounds &a, const Bounds &b, Type type,
                       llvm::function_ref<double(double, double)> function) {
  Bounds result = Bounds::onlyNaN();
  result.nan = a.nan || b.nan;
  if (!a.hasNumbers() || !b.hasNumbers())
    return Bounds::onlyNaN();
  for (double x : {a.low, a.high})
    for (double y : {b.low, b.high}) {
      double value = function(x, y);
      if (std::isnan(value)) {
        result.nan = true;
        continue;
      }
      value = rounded(value, type);
      result.low = std::min(result.low, value);
      result.high = std::max(result.high, value);
    }
  return result;
}

static Bounds add(const Bounds &a, const Bounds &b, Type type) {
  Bounds sum = fromEnds(a, b, type, std::plus<double>());
  bool meet = (a.contains(kInfinity) && b.contains(-kInfinity)) ||
              (a.contains(-kInfinity) && b.contains(kInfinity));
  if (!meet)
    return sum;
  // Infinities of both signs are NaN at some ends, but not in between.
  if (a.low == a.high && b.low == b.high)
    return Bounds::onlyNaN();
  return Bounds();
}

static Bounds negate(const Bounds &a) { return {-a.high, -a.low, a.nan}; }

static Bounds subtract(const Bounds &a, const Bounds &b, Type type) {
  Bounds difference = add(a, negate(b), type);
  if (a.of != Bounds::Of::Score || b.of != Bounds::Of::Largest ||
      difference.isOnlyNaN() || std::isinf(b.low) || std::isinf(b.high))
    return difference;
  // No element of a row is above its maximum.
  difference.high = std::min(difference.high, 0.0);
  if (a.isLargest)
    difference.low = std::max(difference.low, 0.0);
  return difference;
}

static Bounds multiply(const Bounds &a, const Bounds &b, Type type) {
  auto isInfinite = [](const Bounds &x) {
    return x.contains(kInfinity) || x.contains(-kInfinity);
  };
  if ((a.contains(0) && isInfinite(b)) || (b.contains(0) && isInfinite(a)))
    return Bounds();
  return fromEnds(a, b, type, std::multiplies<double>());
}

static Bounds divide(const Bounds &a, const Bounds &b, Type type) {
  bool isInfinite = a.contains(kInfinity) || a.contains(-kInfinity);
  if (!a.hasNumbers() || !b.hasNumbers())
    return Bounds::onlyNaN();
  if (b.contains(0) ||
      (isInfinite && (std::isinf(b.low) || std::isinf(b.high))))
    return Bounds();
  return fromEnds(a, b, type, std::divides<double>());
}

/// An exponential. The functions of the targets are monotonic up to a small
/// relative error; that of minus infinity is zero.
static Bounds power(const Bounds &a, Type type, double (*function)(double)) {
  constexpr double kError = 1.0 / 256;
  if (!a.hasNumbers())
    return Bounds::onlyNaN();
  auto at = [&](double x, double error) {
    return rounded(function(x) * (1 + error), type);
  };
  Bounds result = Bounds::between(at(a.low, -kError), at(a.high, kError));
  result.nan = a.nan;
  // Small results may be flushed to zero.
  auto smallest =
      APFloat::getSmallestNormalized(cast<FloatType>(type).getFloatSemantics());
  if (result.low <= 2 * smallest.convertToDouble())
    result.low = 0;
  return result;
}

/// A maximum that is NaN if a factor is.
static Bounds larger(const Bounds &a, const Bounds &b) {
  if (!a.hasNumbers() || !b.hasNumbers())
    return Bounds::onlyNaN();
  return {std::max(a.low, b.low), std::max(a.high, b.high), a.nan || b.nan};
}

static Bounds compare(arith::CmpFPredicate predicate, const Bounds &a,
                      const Bounds &b) {
  using P = arith::CmpFPredicate;
  const Bounds unknown = Bounds::between(0, 1);
  if (a.isOnlyNaN() || b.isOnlyNaN()) {
    // Ordered comparisons of NaN do not hold, unordered ones do.
    bool isOrdered = llvm::is_contained(
        {P::OEQ, P::OGT, P::OGE, P::OLT, P::OLE, P::ONE, P::ORD}, predicate);
    bool isKnown = predicate != P::AlwaysTrue && predicate != P::AlwaysFalse;
    return isKnown ? Bounds::exactly(isOrdered ? 0 : 1) : unknown;
  }
  if (a.nan || b.nan)
    return unknown;
  bool equal = a.low == a.high && b.low == b.high && a.low == b.low;
  bool apart = a.high < b.low || b.high < a.low;
  switch (predicate) {
  case P::OEQ:
  case P::UEQ:
    return equal || apart ? Bounds::exactly(equal) : unknown;
  case P::ONE:
  case P::UNE:
    return equal || apart ? Bounds::exactly(apart) : unknown;
  default:
    return unknown;
  }
}

static Bounds boundsOf(Operation *op, llvm::ArrayRef<Bounds> in) {
  Type type = op->getResult(0).getType();
  if (type.isInteger(1)) {
    const Bounds unknown = Bounds::between(0, 1);
    if (auto cmp = dyn_cast<arith::CmpFOp>(op))
      return compare(cmp.getPredicate(), in[0], in[1]);
    if (isa<arith::AndIOp>(op))
      return Bounds::between(std::min(in[0].low, in[1].low),
                             std::min(in[0].high, in[1].high));
    if (isa<arith::OrIOp>(op))
      return Bounds::between(std::max(in[0].low, in[1].low),
                             std::max(in[0].high, in[1].high));
    if (isa<arith::XOrIOp>(op) && in[0].low == in[0].high &&
        in[1].low == in[1].high)
      return Bounds::exactly(in[0].low != in[1].low);
    return unknown;
  }
  if (!isa<FloatType>(type))
    return Bounds();
  return llvm::TypeSwitch<Operation *, Bounds>(op)
      .Case([&](arith::AddFOp) { return add(in[0], in[1], type); })
      .Case([&](arith::SubFOp) { return subtract(in[0], in[1], type); })
      .Case([&](arith::MulFOp) { return multiply(in[0], in[1], type); })
      .Case([&](arith::DivFOp) { return divide(in[0], in[1], type); })
      .Case([&](arith::NegFOp) { return negate(in[0]); })
      .Case([&](arith::MaximumFOp) { return larger(in[0], in[1]); })
      .Case([&](arith::MinimumFOp) {
        return negate(larger(negate(in[0]), negate(in[1])));
      })
      .Case([&](math::ExpOp) { return power(in[0], type, std::exp); })
      .Case([&](math::Exp2Op) { return power(in[0], type, std::exp2); })
      .Case([&](arith::ExtFOp) { return in[0]; })
      .Case([&](arith::TruncFOp) {
        if (!in[0].hasNumbers())
          return Bounds::onlyNaN();
        return Bounds{rounded(in[0].low, type), rounded(in[0].high, type),
                      in[0].nan};
      })
      .Case([&](arith::SelectOp) {
        if (in[0].low == in[0].high)
          return in[0].low != 0 ? in[1] : in[2];
        return unite(in[1], in[2]);
      })
      .Default([](Operation *) { return Bounds(); });
}

static std::optional<Bounds> boundsOfConstant(Value value) {
  APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number))) {
    bool inexact = false;
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &inexact);
    return number.isNaN() ? Bounds::onlyNaN()
                          : Bounds::exactly(number.convertToDouble());
  }
  APInt bit;
  if (value.getType().isInteger(1) && matchPattern(value, m_ConstantInt(&bit)))
    return Bounds::exactly(bit.isZero() ? 0 : 1);
  return std::nullopt;
}

BoundsOfValues
pruner::boundsIn(Block &body,
                 llvm::function_ref<std::optional<Bounds>(Value)> given) {
  BoundsOfValues known;
  auto lookUp = [&](Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    return boundsOfConstant(value).value_or(
        value.getType().isInteger(1) ? Bounds::between(0, 1) : Bounds());
  };
  for (BlockArgument argument : body.getArguments())
    known[argument] = given(argument).value_or(lookUp(argument));
  for (Operation &op : body.without_terminator()) {
    if (op.getNumResults() != 1)
      continue;
    Value result = op.getResult(0);
    llvm::SmallVector<Bounds> operands;
    for (Value operand : op.getOperands())
      operands.push_back(lookUp(operand));
    std::optional<Bounds> bounds = given(result);
    if (!bounds)
      bounds = boundsOfConstant(result);
    known[result] = bounds ? *bounds : boundsOf(&op, operands);
  }
  Value result = body.getTerminator()->getOperand(0);
  known.insert({result, lookUp(result)});
  return known;
}
