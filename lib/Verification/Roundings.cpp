//===- Roundings.cpp - determined roundings of operations -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorRules.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

Value ErrorRules::nearest(Value value, const Format &format, bool tiesAway) {
  Type words = wide.builder.getI64Type();
  auto integer = [&](int64_t word) -> Value {
    return wide.create<arith::ConstantOp>(wide.builder.getI64IntegerAttr(word));
  };
  // For normal numbers, the bits that the type lacks are rounded away.
  const int lost = 53 - format.precision;
  const int64_t unit = int64_t(1) << lost;
  Value bits = wide.create<arith::BitcastOp>(words, value);
  Value last = wide.create<arith::ShRUIOp>(bits, integer(lost));
  last = wide.create<arith::AndIOp>(last, integer(1));
  Value sum = wide.create<arith::AddIOp>(
      bits, integer(tiesAway ? unit / 2 : unit / 2 - 1));
  if (!tiesAway)
    sum = wide.create<arith::AddIOp>(sum, last);
  sum = wide.create<arith::AndIOp>(sum, integer(-unit));
  Value rounded = wide.create<arith::BitcastOp>(wide.type(), sum);
  // Smaller numbers are rounded to multiples of the smallest one. f64 numbers
  // of the size of `large` are such multiples.
  Value size = wide.abs(value);
  Value large = wide.constant(std::ldexp(1.5, 52) * format.tiny);
  Value small = wide.sub(wide.add(value, large), large);
  small = wide.create<math::CopySignOp>(small, value);
  Value normal =
      wide.compare(Predicate::OGE, size, wide.constant(format.smallestNormal));
  rounded = wide.select(normal, rounded, small);
  Value over = wide.compare(Predicate::OGT, wide.abs(rounded),
                            wide.constant(format.largest));
  Value infinite = wide.create<math::CopySignOp>(wide.infinity(), value);
  rounded = wide.select(over, infinite, rounded);
  return wide.select(wide.isNaN(value), value, rounded);
}

Bounded ErrorRules::roundOnce(const Bounded &exact, Type type, bool tiesAway) {
  Format format(type);
  Value value = nearest(exact.value, format, tiesAway);
  if (!exact.error)
    return {value, {}};
  Value high = nearest(wide.add(exact.value, exact.error), format, tiesAway);
  Value low = nearest(wide.sub(exact.value, exact.error), format, tiesAway);
  Value error = wide.max(wide.distance(high, value), wide.distance(low, value));
  Value open = wide.compare(Predicate::OEQ, exact.error, wide.infinity());
  Value none = wide.compare(Predicate::OEQ, exact.error, wide.constant(0));
  error = wide.select(none, wide.constant(0), error);
  return {value, wide.settle(wide.select(open, wide.infinity(), error), value)};
}

bool ErrorRules::isDetermined(Operation *op) {
  auto type = dyn_cast<FloatType>(op->getResult(0).getType());
  if (!type || !Format(type).isDetermined())
    return false;
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return !flags || !flags.getFastMathFlagsAttr() ||
         !arith::bitEnumContainsAny(flags.getFastMathFlagsAttr().getValue(),
                                    arith::FastMathFlags::contract);
}

bool ErrorRules::isFusible(Operation *op) {
  return isa<arith::MulFOp>(op) &&
         llvm::any_of(op->getUsers(),
                      llvm::IsaPred<arith::AddFOp, arith::SubFOp>);
}

Bounded ErrorRules::openOverflow(const Bounded &product,
                                 ArrayRef<Bounded> factors) {
  auto isFinite = [&](Value x) {
    return wide.compare(Predicate::OLT, wide.abs(x), wide.infinity());
  };
  Value finite =
      wide.both(isFinite(factors[0].value), isFinite(factors[1].value));
  Value infinite =
      wide.compare(Predicate::OEQ, wide.abs(product.value), wide.infinity());
  return {product.value,
          wide.select(wide.both(finite, infinite), wide.infinity(),
                      wide.orZero(product.error))};
}
