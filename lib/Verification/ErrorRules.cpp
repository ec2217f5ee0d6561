//===- ErrorRules.cpp - running error analysis of scalar ops --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorRules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

Bounded ErrorRules::round(Value value, Value error, Type type, double ulps) {
  Format format(type);
  Value magnitude = wide.abs(value);
  Value most = error ? wide.add(magnitude, error) : magnitude;
  // The reference rounds to f64 as well.
  double relative = 2 * ulps * format.unit + (type.isF64() ? format.unit : 0);
  Value rounding = wide.add(wide.mul(most, wide.constant(relative)),
                            wide.constant(2 * ulps * format.tiny));
  // A result that is not rounded has no error if its operands are exact. In f64
  // this is only known for integers. Functions are exact at 0 and +-1, but not
  // everywhere that their result happens to be representable.
  Value exact;
  if (ulps > quotientUlps) {
    exact = wide.compare(
        Predicate::OEQ, magnitude,
        wide.min(wide.create<math::RoundEvenOp>(magnitude), wide.constant(1)));
    Value none = wide.compare(Predicate::OLT, magnitude,
                              wide.constant(format.tiny / 1024));
    value = wide.select(none, wide.mul(value, wide.constant(0)), value);
    exact = wide.create<arith::OrIOp>(exact, none);
  } else if (type.isF64()) {
    exact = wide.both(
        wide.compare(Predicate::OEQ, value,
                     wide.create<math::RoundEvenOp>(value)),
        wide.compare(Predicate::OLE, magnitude,
                     wide.constant(std::ldexp(1.0, kExactBitsOfDoubles))));
  } else {
    // The bits that the type lacks are zero. (Dekker's splitting does not work
    // here, because its products may be fused with the differences.)
    Type bitsType = wide.builder.getI64Type();
    auto integer = [&](int64_t bits) {
      return wide.create<arith::ConstantOp>(
          wide.builder.getI64IntegerAttr(bits));
    };
    Value rest = wide.create<arith::AndIOp>(
        wide.create<arith::BitcastOp>(bitsType, value),
        integer((int64_t(1) << (53 - format.precision)) - 1));
    Value fits =
        wide.create<arith::CmpIOp>(arith::CmpIPredicate::eq, rest, integer(0));
    Value normal = wide.compare(Predicate::OGE, magnitude,
                                wide.constant(format.smallestNormal));
    Value zero = wide.compare(Predicate::OEQ, value, wide.constant(0));
    exact = wide.both(fits, wide.create<arith::OrIOp>(normal, zero));
  }
  if (error)
    exact =
        wide.both(exact, wide.compare(Predicate::OEQ, error, wide.constant(0)));
  // Infinity is not rounded either.
  exact = wide.create<arith::OrIOp>(
      exact, wide.compare(Predicate::OEQ, magnitude, wide.infinity()));
  Value total = wide.select(exact, wide.constant(0), rounding);
  if (error)
    total = wide.add(total, error);

  // Certainly beyond the range of the type: infinity. Possibly beyond: any
  // value.
  Value largest = wide.constant(format.largest);
  Value perhaps =
      wide.compare(Predicate::OGT, wide.add(magnitude, total), largest);
  Value certain =
      wide.compare(Predicate::OGT, wide.sub(magnitude, total), largest);
  if (!type.isF64())
    value = wide.select(
        certain, wide.create<math::CopySignOp>(wide.infinity(), value), value);
  Value beyond = wide.select(certain, wide.constant(0), wide.infinity());
  return {value, wide.settle(wide.select(perhaps, beyond, total), value)};
}

Value ErrorRules::evaluate(Operation *op, ValueRange operands) {
  OperationState state(wide.loc, op->getName());
  state.addOperands(operands);
  for (Type type : op->getResultTypes())
    state.addTypes(isa<FloatType>(type) ? wide.type() : type);
  state.addAttributes(op->getAttrs());
  return wide.builder.create(state)->getResult(0);
}

/// Infinity if any operand is uncertain, else 0; null if all are exact.
Value ErrorRules::anyOf(ArrayRef<Bounded> operands) {
  Value total;
  for (const Bounded &operand : operands)
    total = sum(total, operand.error);
  if (!total)
    return {};
  Value exact = wide.compare(Predicate::OEQ, total, wide.constant(0));
  return wide.select(exact, wide.constant(0), wide.infinity());
}

Value ErrorRules::sum(Value a, Value b) {
  return !a ? b : !b ? a : wide.add(a, b);
}

/// The error of the product of `a` and `b` in f64. Infinity times a number of
/// certain sign has none.
Value ErrorRules::product(const Bounded &a, const Bounded &b) {
  auto times = [&](const Bounded &factor, const Bounded &uncertain) {
    Value size = wide.abs(wide.toDouble(factor.value));
    Value other = wide.abs(wide.toDouble(uncertain.value));
    Value certain =
        wide.both(wide.compare(Predicate::OEQ, size, wide.infinity()),
                  wide.compare(Predicate::OGT, other, uncertain.error));
    return wide.select(certain, wide.constant(0),
                       wide.mul(size, uncertain.error));
  };
  Value error;
  if (b.error)
    error = times(a, b);
  if (a.error)
    error = sum(error, times(b, a));
  if (a.error && b.error)
    error = wide.add(error, wide.mul(a.error, b.error));
  return error;
}

/// The extremum of the operands, with the largest and smallest values that
/// their errors allow.
Bounded ErrorRules::extremum(Operation *op, ArrayRef<Bounded> operands) {
  const Bounded &a = operands[0], &b = operands[1];
  Value value = evaluate(op, {a.value, b.value});
  if (isExact(operands))
    return {value, {}};
  Value ea = wide.orZero(a.error), eb = wide.orZero(b.error);
  Value high = evaluate(op, {wide.add(a.value, ea), wide.add(b.value, eb)});
  Value low = evaluate(op, {wide.sub(a.value, ea), wide.sub(b.value, eb)});
  return {value,
          wide.max(wide.distance(high, value), wide.distance(low, value))};
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return predicate == P::ult || predicate == P::ule || predicate == P::ugt ||
         predicate == P::uge;
}

Value ErrorRules::mayChangeSign(const Bounded &operand) {
  // A bool is its only bit, with or without a sign.
  if (!operand.error || operand.value.getType().isInteger(1))
    return {};
  return wide.both(
      wide.compare(Predicate::OGT, operand.error, wide.constant(0)),
      wide.compare(Predicate::OLE, wide.abs(wide.toDouble(operand.value)),
                   operand.error));
}

Bounded ErrorRules::compare(Operation *op, ArrayRef<Bounded> operands) {
  Value value = evaluate(op, {operands[0].value, operands[1].value});
  Value error = sum(operands[0].error, operands[1].error);
  if (!error)
    return {value, {}};
  Value apart = wide.abs(wide.sub(wide.toDouble(operands[0].value),
                                  wide.toDouble(operands[1].value)));
  Value open = wide.both(wide.compare(Predicate::OLE, apart, error),
                         wide.compare(Predicate::OGT, error, wide.constant(0)));
  // Where infinities or NaN are compared that may be anything.
  open = wide.create<arith::OrIOp>(
      open, wide.compare(Predicate::OEQ, error, wide.infinity()));
  // Without a sign, what is below zero is above all others.
  if (auto integers = dyn_cast<arith::CmpIOp>(op);
      integers && isUnsigned(integers.getPredicate()))
    for (const Bounded &operand : operands)
      if (Value sign = mayChangeSign(operand))
        open = wide.create<arith::OrIOp>(open, sign);
  return {value, wide.toDouble(open)};
}

Bounded ErrorRules::select(Operation *op, ArrayRef<Bounded> operands) {
  const Bounded &condition = operands[0], &a = operands[1], &b = operands[2];
  Value value = evaluate(op, {condition.value, a.value, b.value});
  if (isExact(operands))
    return {value, {}};
  Value ea = wide.orZero(a.error), eb = wide.orZero(b.error);
  Value error = wide.select(condition.value, ea, eb);
  if (!condition.error)
    return {value, error};
  Value open = wide.compare(Predicate::OGT, condition.error, wide.constant(0));
  Value either =
      wide.add(wide.distance(wide.toDouble(a.value), wide.toDouble(b.value)),
               wide.max(ea, eb));
  return {value, wide.select(open, either, error)};
}

/// Rounding towards zero is a step function, uncertain near its steps. A value
/// out of range may become any integer.
Bounded ErrorRules::toInteger(Operation *op, const Bounded &operand) {
  Value x = operand.value;
  bool isSigned = isa<arith::FPToSIOp>(op);
  unsigned bits = op->getResult(0).getType().getIntOrFloatBitWidth();
  double above = std::ldexp(1.0, int(isSigned ? bits - 1 : bits));
  double below = isSigned ? -above - 1 : -1;
  Value error = operand.error;
  Value high = error ? wide.add(x, error) : x;
  Value low = error ? wide.sub(x, error) : x;
  Value fits =
      wide.both(wide.compare(Predicate::OLT, high, wide.constant(above)),
                wide.compare(Predicate::OGT, low, wide.constant(below)));
  Value value = evaluate(op, wide.where(fits, x));
  Value steps = wide.constant(0);
  if (error) {
    Value middle = wide.create<math::TruncOp>(x);
    steps = wide.max(wide.sub(wide.create<math::TruncOp>(high), middle),
                     wide.sub(middle, wide.create<math::TruncOp>(low)));
  }
  return {value, wide.select(fits, steps, wide.infinity())};
}

Bounded ErrorRules::bitcast(Operation *op, const Bounded &operand) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Value bits = operand.value;
  // Through f32, because C runtimes may lack the conversion of f64 to bf16.
  if (from.isBF16())
    bits = wide.create<arith::TruncFOp>(wide.builder.getF32Type(), bits);
  if (isa<FloatType>(from) && bits.getType() != from)
    bits = wide.create<arith::TruncFOp>(from, bits);
  bits = wide.create<arith::BitcastOp>(to, bits);
  if (isa<FloatType>(to))
    bits = wide.toDouble(bits);
  return {bits, anyOf(operand)};
}

/// Results that are integers or indices.
Bounded ErrorRules::integer(Operation *op, ArrayRef<Bounded> operands) {
  SmallVector<Value> values;
  for (const Bounded &operand : operands)
    values.push_back(operand.value);
  Value value = evaluate(op, values);
  if (isExact(operands))
    return {value, {}};
  unsigned bits =
      value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
  // Exact unless it leaves the range of the type.
  auto ranged = [&](Value error, Value before) {
    Value fits = wide.compare(Predicate::OLT,
                              wide.add(wide.abs(wide.toDouble(before)), error),
                              wide.constant(std::ldexp(1.0, int(bits) - 1)));
    Value exact = wide.compare(Predicate::OEQ, error, wide.constant(0));
    fits = wide.create<arith::OrIOp>(fits, exact);
    return Bounded{value, wide.select(fits, error, wide.infinity())};
  };
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return ranged(sum(operands[0].error, operands[1].error), value);
  if (isa<arith::MulIOp>(op))
    return ranged(product(operands[0], operands[1]), value);
  if (isa<arith::TruncIOp, arith::IndexCastOp, math::AbsIOp>(op))
    return ranged(operands[0].error, operands[0].value);
  if (isa<arith::ExtSIOp>(op))
    return {value, operands[0].error};
  auto unlessSigns = [&](Bounded result) {
    for (const Bounded &operand : operands)
      if (Value sign = mayChangeSign(operand))
        result.error = wide.select(sign, wide.infinity(), result.error);
    return result;
  };
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return unlessSigns(ranged(operands[0].error, operands[0].value));
  // What a clamp cuts off is certain however uncertain it was before.
  if (isa<arith::MaxSIOp, arith::MinSIOp>(op)) {
    Value a = wide.toDouble(values[0]), b = wide.toDouble(values[1]),
          ea = wide.orZero(operands[0].error),
          eb = wide.orZero(operands[1].error);
    auto kept = [&](Value x, Value y) {
      return isa<arith::MaxSIOp>(op) ? wide.max(x, y) : wide.min(x, y);
    };
    Value middle = kept(a, b), high = kept(wide.add(a, ea), wide.add(b, eb)),
          low = kept(wide.sub(a, ea), wide.sub(b, eb));
    return {value, wide.max(wide.sub(high, middle), wide.sub(middle, low))};
  }
  bool bools = value.getType().isInteger(1);
  if (isa<arith::MaxUIOp, arith::MinUIOp>(op) ||
      (bools && isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op)))
    return unlessSigns({value, wide.max(wide.orZero(operands[0].error),
                                        wide.orZero(operands[1].error))});
  return {value, anyOf(operands)};
}

/// In f64, integers of 64 bits may be rounded here before they are rounded
/// again.
Bounded ErrorRules::fromInteger(Operation *op, const Bounded &operand) {
  Type type = op->getResult(0).getType();
  Value value = evaluate(op, operand.value), error = operand.error;
  if (isa<arith::UIToFPOp>(op))
    if (Value sign = mayChangeSign(operand))
      error = wide.select(sign, wide.infinity(), error);
  if (!isDetermined(op))
    return round(value, error, type, 0.5);
  if (operand.value.getType().getIntOrFloatBitWidth() > 53) {
    Value size = wide.abs(value);
    Value large =
        wide.compare(Predicate::OGE, size, wide.constant(std::ldexp(1.0, 53)));
    Value rounding = wide.mul(size, wide.constant(std::ldexp(1.0, -53)));
    error = sum(error, wide.where(large, rounding));
  }
  return roundOnce({value, error}, type);
}

/// Arithmetic that IEEE 754 rounds correctly.
Bounded ErrorRules::floating(Operation *op, ArrayRef<Bounded> operands,
                             bool determined) {
  Bounded result = roundedResult(op, operands, determined);
  if (!determined && isFusible(op))
    result = openOverflow(result, operands);
  return result;
}

Bounded ErrorRules::openBeside(const Bounded &result,
                               ArrayRef<Bounded> operands) {
  Bounded beside = result;
  for (const Bounded &operand : operands)
    if (operand.error && operand.value.getType().isF64()) {
      Value open = wide.compare(Predicate::OEQ, operand.error, wide.infinity());
      beside.error =
          wide.select(open, wide.infinity(), wide.orZero(beside.error));
    }
  return beside;
}

Bounded ErrorRules::copySign(Operation *op, ArrayRef<Bounded> operands) {
  Value value = evaluate(op, {operands[0].value, operands[1].value});
  if (isExact(operands))
    return {value, {}};
  Value error = wide.orZero(operands[0].error);
  if (operands[1].error) {
    Value open = wide.compare(Predicate::OLE, wide.abs(operands[1].value),
                              operands[1].error);
    Value certain =
        wide.compare(Predicate::OEQ, operands[1].error, wide.constant(0));
    Value twice = wide.mul(wide.abs(operands[0].value), wide.constant(2));
    error = wide.add(
        error, wide.select(certain, wide.constant(0), wide.where(open, twice)));
  }
  return {value, error};
}

Bounded ErrorRules::roundedResult(Operation *op, ArrayRef<Bounded> operands,
                                  bool determined) {
  SmallVector<Value> values;
  for (const Bounded &operand : operands)
    values.push_back(operand.value);
  Value value = evaluate(op, values), error;
  double ulps = 0.5;
  if (isa<arith::AddFOp, arith::SubFOp>(op)) {
    error = sum(operands[0].error, operands[1].error);
  } else if (isa<arith::MulFOp>(op)) {
    error = product(operands[0], operands[1]);
  } else if (isa<math::FmaOp>(op)) {
    error = sum(product(operands[0], operands[1]), operands[2].error);
  } else {
    // The error of a / b is (ea + |a / b| eb) / (|b| - eb).
    ulps = quotientUlps;
    Value divisor = wide.abs(operands[1].value);
    error = operands[0].error;
    if (operands[1].error) {
      // An infinite dividend stays infinite.
      Value infinite = wide.compare(Predicate::OEQ, wide.abs(operands[0].value),
                                    wide.infinity());
      error =
          sum(error, wide.select(infinite, wide.constant(0),
                                 wide.mul(wide.abs(value), operands[1].error)));
      divisor = wide.sub(divisor, operands[1].error);
    }
    if (error) {
      Value clear = wide.compare(Predicate::OGT, divisor, wide.constant(0));
      error = wide.div(error, divisor);
      if (operands[1].error) {
        Value certain =
            wide.compare(Predicate::OEQ, operands[1].error, wide.constant(0));
        clear = wide.create<arith::OrIOp>(clear, certain);
        error = wide.select(clear, error, wide.infinity());
      }
    }
  }
  Type type = op->getResult(0).getType();
  if (!determined)
    return round(value, error, type, ulps);
  // The sum of a product of 22 bits and a number may have more bits than f64.
  if (isa<math::FmaOp>(op))
    return roundOnce(round(value, error, wide.type(), 0.5), type);
  return roundOnce({value, error}, type);
}

Bounded ErrorRules::apply(Operation *op, ArrayRef<Bounded> operands,
                          bool anyOrder) {
  Bounded result = rule(op, operands, anyOrder);
  // Of a selection the other operand does not matter.
  bool depends =
      isa<FloatType>(op->getResult(0).getType()) && !isa<arith::SelectOp>(op);
  if (depends)
    result = openBeside(result, operands);
  return withOthers(op, result, operands);
}

Bounded ErrorRules::rule(Operation *op, ArrayRef<Bounded> operands,
                         bool anyOrder) {
  Type type = op->getResult(0).getType();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto value = dyn_cast<FloatAttr>(constant.getValue())) {
      bool ignored;
      APFloat number = value.getValue();
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &ignored);
      return {wide.constant(number.convertToDouble()), {}};
    }
    return {evaluate(op, {}), {}};
  }
  if (isa<arith::ExtFOp>(op))
    return {operands[0].value, operands[0].error};
  if (isa<arith::TruncFOp>(op))
    return isDetermined(op)
               ? roundOnce(operands[0], type,
                           cast<arith::TruncFOp>(op).getRoundingmode() ==
                               arith::RoundingMode::to_nearest_away)
               : round(operands[0].value, operands[0].error, type, 0.5);
  if (isa<arith::NegFOp, math::AbsFOp>(op))
    return {evaluate(op, operands[0].value), operands[0].error};
  if (isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op))
    return extremum(op, operands);
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return compare(op, operands);
  if (isa<arith::SelectOp>(op))
    return select(op, operands);
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
    return toInteger(op, operands[0]);
  if (isa<arith::BitcastOp>(op))
    return bitcast(op, operands[0]);
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return fromInteger(op, operands[0]);
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          math::FmaOp>(op))
    return floating(op, operands, isDetermined(op) && !anyOrder);
  if (isa<math::CopySignOp>(op))
    return copySign(op, operands);
  if (isa<FloatType>(type))
    return function(op, operands);
  return integer(op, operands);
}
