//===- WideArithmetic.h - scalar f64 arithmetic as IR -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_WIDEARITHMETIC_H
#define PRUNER_LIB_VERIFICATION_WIDEARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

namespace pruner {

/// Writes arithmetic on scalars of type f64.
class WideArithmetic {
public:
  WideArithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  using Value = mlir::Value;
  using Predicate = mlir::arith::CmpFPredicate;

  mlir::Type type() { return builder.getF64Type(); }
  Value constant(double value) {
    return create<mlir::arith::ConstantOp>(builder.getF64FloatAttr(value));
  }
  Value infinity() { return constant(INFINITY); }
  Value add(Value a, Value b) { return create<mlir::arith::AddFOp>(a, b); }
  Value sub(Value a, Value b) { return create<mlir::arith::SubFOp>(a, b); }
  Value mul(Value a, Value b) { return create<mlir::arith::MulFOp>(a, b); }
  Value div(Value a, Value b) { return create<mlir::arith::DivFOp>(a, b); }
  Value abs(Value a) { return create<mlir::math::AbsFOp>(a); }
  /// The larger and the smaller; the other one if one is NaN.
  Value max(Value a, Value b) { return create<mlir::arith::MaxNumFOp>(a, b); }
  Value min(Value a, Value b) { return create<mlir::arith::MinNumFOp>(a, b); }
  Value compare(Predicate predicate, Value a, Value b) {
    return create<mlir::arith::CmpFOp>(predicate, a, b);
  }
  Value isNaN(Value a) { return compare(Predicate::UNO, a, a); }
  Value both(Value a, Value b) { return create<mlir::arith::AndIOp>(a, b); }
  Value select(Value condition, Value a, Value b) {
    return create<mlir::arith::SelectOp>(condition, a, b);
  }
  /// `a` if the condition holds, else 0.
  Value where(Value condition, Value a) {
    return select(condition, a, constant(0));
  }
  /// 0 for null.
  Value orZero(Value error) { return error ? error : constant(0); }

  /// |a - b|; 0 if both are the same infinity or NaN, infinity if only one is
  /// NaN.
  Value distance(Value a, Value b) {
    Value apart = abs(sub(a, b));
    apart = select(isNaN(apart), infinity(), apart);
    Value same = create<mlir::arith::OrIOp>(compare(Predicate::OEQ, a, b),
                                            both(isNaN(a), isNaN(b)));
    return select(same, constant(0), apart);
  }
  /// Replaces an `error` that may be NaN because infinities met: 0 next to a
  /// value that is not finite, because every correct value is the same there,
  /// and infinity next to others.
  Value settle(Value error, Value value) {
    Value finite = compare(Predicate::ORD, sub(value, value), constant(0));
    return select(isNaN(error), select(finite, infinity(), constant(0)), error);
  }

  /// Sets of `SpecialValue`s, which are i8: a constant one, `bits` where a
  /// condition holds, the union of two (of which one may be null), whether a
  /// set has any of `bits`, and the set of a value that is infinite or NaN.
  Value set(unsigned bits);
  Value setWhere(Value condition, unsigned bits);
  Value join(Value a, Value b);
  Value contains(Value others, unsigned bits);
  Value specialsOf(Value value);

  /// A float of any type, an integer or a bool as an f64. Integers beyond 2^53
  /// are rounded.
  Value toDouble(Value a) {
    mlir::Type from = a.getType();
    if (from.isF64())
      return a;
    if (mlir::isa<mlir::FloatType>(from))
      return create<mlir::arith::ExtFOp>(type(), a);
    if (from.isIndex())
      a = create<mlir::arith::IndexCastOp>(builder.getI64Type(), a);
    if (from.isInteger(1))
      return create<mlir::arith::UIToFPOp>(type(), a);
    return create<mlir::arith::SIToFPOp>(type(), a);
  }

  template <typename Op, typename... Args> Value create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_WIDEARITHMETIC_H
