//===- OtherValues.cpp - infinities and NaN of other orders ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorRules.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

Value WideArithmetic::set(unsigned bits) {
  return create<arith::ConstantOp>(builder.getI8IntegerAttr(int8_t(bits)));
}

Value WideArithmetic::setWhere(Value condition, unsigned bits) {
  return select(condition, set(bits), set(0));
}

Value WideArithmetic::join(Value a, Value b) {
  return !a ? b : !b ? a : create<arith::OrIOp>(a, b);
}

Value WideArithmetic::contains(Value others, unsigned bits) {
  return create<arith::CmpIOp>(arith::CmpIPredicate::ne,
                               create<arith::AndIOp>(others, set(bits)),
                               set(0));
}

Value WideArithmetic::specialsOf(Value value) {
  Value minus = compare(Predicate::OEQ, value, constant(-INFINITY));
  Value plus = compare(Predicate::OEQ, value, infinity());
  return select(
      isNaN(value), set(NotANumber),
      select(plus, set(PlusInfinity), setWhere(minus, MinusInfinity)));
}

Bounded pruner::openOthers(WideArithmetic &wide, const Bounded &value) {
  if (!value.others)
    return value;
  Value any = wide.contains(value.others, ~0u);
  return {value.value,
          wide.select(any, wide.infinity(), wide.orZero(value.error))};
}

/// A selection has the other values of the operand that it selects.
Bounded ErrorRules::othersOfSelection(const Bounded &result,
                                      ArrayRef<Bounded> operands) {
  auto orNone = [&](Value others) { return others ? others : wide.set(0); };
  Value a = orNone(operands[1].others), b = orNone(operands[2].others);
  Value others = wide.select(operands[0].value, a, b);
  if (operands[0].error) {
    Value open =
        wide.compare(Predicate::OGT, operands[0].error, wide.constant(0));
    others = wide.select(open, wide.join(a, b), others);
  }
  return {result.value, result.error, others};
}

/// Whether an infinite operand of `op` determines the result whatever the other
/// operand, `beside`, is within its error. Null if it always does.
static Value determines(WideArithmetic &wide, Operation *op,
                        const Bounded &beside) {
  if (!beside.error || isa<arith::AddFOp, arith::SubFOp>(op))
    return {};
  // A factor or divisor has a certain sign.
  if (isa<arith::MulFOp, arith::DivFOp>(op))
    return wide.compare(Predicate::OGT, wide.abs(beside.value), beside.error);
  return wide.compare(Predicate::OEQ, beside.error, wide.constant(0));
}

static bool propagatesNaN(Operation *op) {
  return op->getNumOperands() == 1 ||
         isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             math::FmaOp, arith::MaximumFOp, arith::MinimumFOp>(op);
}

Bounded ErrorRules::withOthers(Operation *op, const Bounded &result,
                               ArrayRef<Bounded> operands) {
  if (llvm::none_of(operands, [](const Bounded &o) { return o.others; }))
    return result;
  if (isa<arith::SelectOp>(op))
    return othersOfSelection(result, operands);
  // Rounding does not change infinities and NaN.
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return {result.value, result.error, operands[0].others};

  // Every choice of the value or a special value for each operand.
  struct Choice {
    SmallVector<Value> values;
    Value present;              ///< Whether the operands have these values.
    SmallVector<bool> isChosen; ///< Which are special values.
    bool hasNaN;
  };
  SmallVector<Choice> choices{{}};
  for (const Bounded &operand : operands) {
    SmallVector<Choice> longer;
    for (const Choice &choice : choices) {
      Choice &same = longer.emplace_back(choice);
      same.values.push_back(operand.value);
      same.isChosen.push_back(false);
      if (!operand.others)
        continue;
      for (auto [bit, special] : {std::pair(NotANumber, double(NAN)),
                                  {PlusInfinity, INFINITY},
                                  {MinusInfinity, -INFINITY}}) {
        Choice &other = longer.emplace_back(choice);
        other.values.push_back(wide.constant(special));
        other.isChosen.push_back(true);
        other.hasNaN |= bit == NotANumber;
        Value has = wide.contains(operand.others, bit);
        other.present = other.present ? wide.both(other.present, has) : has;
      }
    }
    choices = std::move(longer);
  }

  Type type = op->getResult(0).getType();
  Value others = wide.set(0), open;
  constexpr size_t mostChoices = 16; // Those of two operands.
  bool evaluates = isa<FloatType>(type) || isa<arith::CmpFOp>(op);
  if (choices.size() > mostChoices || !evaluates || isa<arith::BitcastOp>(op)) {
    for (const Bounded &operand : operands)
      if (operand.others) {
        Value any = wide.contains(operand.others, ~0u);
        open = open ? Value(wide.create<arith::OrIOp>(open, any)) : any;
      }
  } else {
    open = wide.create<arith::ConstantOp>(wide.builder.getBoolAttr(false));
    // The first choice is the result itself.
    for (const Choice &choice : llvm::drop_begin(choices)) {
      Value value = evaluate(op, choice.values), bad;
      if (isa<FloatType>(type)) {
        Value specials = wide.specialsOf(value);
        others = wide.join(others,
                           wide.select(choice.present, specials, wide.set(0)));
        Value near = wide.compare(Predicate::OLE,
                                  wide.abs(wide.sub(value, result.value)),
                                  wide.orZero(result.error));
        near = wide.create<arith::OrIOp>(near, wide.contains(specials, ~0u));
        bad = wide.create<arith::XOrIOp>(
            near,
            wide.create<arith::ConstantOp>(wide.builder.getBoolAttr(true)));
      } else {
        bad = wide.create<arith::XOrIOp>(value, result.value);
      }
      for (auto [operand, isChosen] : llvm::zip(operands, choice.isChosen)) {
        if (isChosen || (choice.hasNaN && propagatesNaN(op)))
          continue;
        if (Value certain = determines(wide, op, operand))
          bad = wide.create<arith::OrIOp>(
              bad, wide.create<arith::XOrIOp>(
                       certain, wide.create<arith::ConstantOp>(
                                    wide.builder.getBoolAttr(true))));
      }
      open = wide.create<arith::OrIOp>(open, wide.both(choice.present, bad));
    }
  }
  Value error = wide.select(open, wide.infinity(), wide.orZero(result.error));
  if (!isa<FloatType>(type))
    return {result.value, error};
  return {result.value, error, others};
}

Bounded ErrorRules::fusibleProduct(Operation *op, ArrayRef<Bounded> operands) {
  Type type = op->getResult(0).getType();
  Format format(type);
  Value value = wide.mul(operands[0].value, operands[1].value);
  Value error = product(operands[0], operands[1]);
  Bounded inside = openOverflow(round(value, error, type, 0.5), operands);
  if (format.precision < 53) {
    Value most = error ? wide.add(wide.abs(value), error) : wide.abs(value);
    Value rounding = wide.mul(most, wide.constant(format.unit));
    Value beyond =
        wide.both(wide.compare(Predicate::OGT, wide.add(most, rounding),
                               wide.constant(format.largest)),
                  wide.compare(Predicate::OLT, most, wide.infinity()));
    inside.value = wide.select(beyond, value, inside.value);
    inside.error = wide.select(
        beyond, error ? wide.add(error, rounding) : rounding, inside.error);
  }
  return withOthers(op, openBeside(inside, operands), operands);
}

Bounded ErrorRules::negated(const Bounded &value) {
  Value others = value.others;
  if (others) {
    Value plus = wide.contains(others, PlusInfinity);
    Value minus = wide.contains(others, MinusInfinity);
    others = wide.create<arith::AndIOp>(others, wide.set(NotANumber));
    others = wide.join(others, wide.setWhere(minus, PlusInfinity));
    others = wide.join(others, wide.setWhere(plus, MinusInfinity));
  }
  return {wide.create<arith::NegFOp>(value.value), value.error, others};
}
