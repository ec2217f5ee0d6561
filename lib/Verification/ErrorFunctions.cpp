//===- ErrorFunctions.cpp - running error analysis of functions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorRules.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

Value ErrorRules::spread(Operation *op, Value result, const Bounded &operand) {
  if (!operand.error)
    return {};
  Value x = operand.value, error = operand.error;
  if (isa<math::SinOp, math::CosOp>(op))
    return wide.min(error, wide.constant(2));
  Value high = evaluate(op, wide.add(x, error));
  Value low = evaluate(op, wide.sub(x, error));
  Value apart =
      wide.max(wide.distance(high, result), wide.distance(low, result));
  // The extremum of an even function lies at 0.
  if (isa<math::CoshOp>(op)) {
    Value inside = wide.compare(Predicate::OLT, wide.abs(x), error);
    apart = wide.select(
        inside, wide.max(apart, wide.distance(wide.constant(1), result)),
        apart);
  }
  // There may be a pole in between.
  if (isa<math::TanOp>(op))
    apart = wide.select(wide.both(wide.compare(Predicate::OGE, high, result),
                                  wide.compare(Predicate::OLE, low, result)),
                        apart, wide.infinity());
  Value moved = wide.compare(Predicate::OGT, error, wide.constant(0));
  return wide.where(moved, apart);
}

/// a^b, b > 0 or a > 0: the corners of the rectangle around (a, b). For other a
/// of exact b, |(a + d)^b - a^b| <= (|a| + |d|)^b - |a|^b for whole b >= 1.
Value ErrorRules::powerSpread(Operation *op, Value result,
                              ArrayRef<Bounded> operands) {
  if (isExact(operands))
    return {};
  const Bounded &a = operands[0], &b = operands[1];
  Value ea = wide.orZero(a.error), eb = wide.orZero(b.error);
  auto power = [&](Value x, Value y) { return evaluate(op, {x, y}); };
  Value corners = wide.constant(0);
  for (Value x : {wide.add(a.value, ea), wide.sub(a.value, ea)})
    for (Value y : {wide.add(b.value, eb), wide.sub(b.value, eb)})
      corners = wide.max(corners, wide.distance(power(x, y), result));
  Value size = wide.abs(a.value);
  Value around =
      wide.sub(power(wide.add(size, ea), b.value), power(size, b.value));
  Value whole =
      wide.both(wide.compare(Predicate::OEQ, eb, wide.constant(0)),
                wide.compare(Predicate::OGE, b.value, wide.constant(1)));
  Value positive =
      wide.compare(Predicate::OGT, wide.sub(a.value, ea), wide.constant(0));
  Value spread = wide.select(positive, corners,
                             wide.select(whole, around, wide.infinity()));
  Value moved =
      wide.compare(Predicate::OGT, wide.add(ea, eb), wide.constant(0));
  return wide.where(moved, spread);
}

/// atan2(y, x) turns by at most the distance that the point moves over the
/// least distance from the origin; where x may be negative and y may change
/// its sign, by a whole turn.
Value ErrorRules::angleSpread(ArrayRef<Bounded> operands) {
  Value moved = sum(operands[0].error, operands[1].error);
  if (!moved)
    return {};
  Value y = operands[0].value, x = operands[1].value;
  Value ey = wide.orZero(operands[0].error),
        ex = wide.orZero(operands[1].error);
  Value radius = wide.sub(wide.max(wide.abs(y), wide.abs(x)), moved);
  Value turn = wide.constant(7);
  Value angle =
      wide.select(wide.compare(Predicate::OGT, radius, wide.constant(0)),
                  wide.min(wide.div(moved, radius), turn), turn);
  Value cut = wide.both(wide.compare(Predicate::OLE, wide.abs(y), ey),
                        wide.compare(Predicate::OLE, x, ex));
  Value off = wide.compare(Predicate::OGT, moved, wide.constant(0));
  return wide.where(off, wide.select(cut, turn, angle));
}

/// Functions of the math dialect, and what has no rule.
Bounded ErrorRules::function(Operation *op, ArrayRef<Bounded> operands) {
  SmallVector<Value> values;
  for (const Bounded &operand : operands)
    values.push_back(operand.value);
  Value value = evaluate(op, values);
  Type type = op->getResult(0).getType();
  if (isa<math::CeilOp, math::FloorOp, math::TruncOp, math::RoundOp,
          math::RoundEvenOp>(op))
    return {value, spread(op, value, operands[0])};
  bool determined = isDetermined(op);
  if (isa<math::SqrtOp>(op)) {
    Value error = spread(op, value, operands[0]);
    return determined ? roundOnce({value, error}, type)
                      : round(value, error, type, quotientUlps);
  }
  if (determined && isa<arith::RemFOp>(op))
    return {value, anyOf(operands)};
  Value error;
  if (isa<math::PowFOp>(op))
    error = powerSpread(op, value, operands);
  else if (isa<math::Atan2Op>(op))
    error = angleSpread(operands);
  else if (isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
               math::AtanOp, math::AtanhOp, math::CbrtOp, math::CosOp,
               math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp,
               math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log10Op,
               math::Log1pOp, math::Log2Op, math::RsqrtOp, math::SinOp,
               math::SinhOp, math::TanOp, math::TanhOp>(op))
    error = spread(op, value, operands[0]);
  else
    error = anyOf(operands);
  if (determined)
    return roundOnce(
        round(value, error, wide.builder.getF32Type(), functionUlps), type);
  return round(value, error, type, functionUlps);
}
