//===- Arithmetic.h - arithmetic on values of one shape ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H
#define PRUNER_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace pruner::math_expansion {

using mlir::Value;

/// The coefficients of a polynomial, the highest power first.
using Coefficients = llvm::ArrayRef<double>;

/// True for scalars, and for vectors with a known number of lanes.
bool hasKnownShape(mlir::Type type);

/// Emits arithmetic on scalars or vectors of one shape and one format, f32 or
/// f64. Integers have the width of the floats. Comparisons are between floats
/// and are false if an operand is NaN, so a select with `x` in its "no" case
/// keeps NaN.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

  /// The same shape with elements of f64.
  Arithmetic wide() const;
  mlir::Type type() const { return floats; }
  mlir::Type integerType() const { return integers; }
  mlir::OpBuilder &builder() const { return *b; }
  mlir::Location loc() const { return at; }

  Value constant(double value) const;
  Value integer(int64_t value) const;
  Value infinity() const;
  Value nan() const;

  Value add(Value a, Value b) const;
  Value sub(Value a, Value b) const;
  Value mul(Value a, Value b) const;
  Value div(Value a, Value b) const;
  Value neg(Value a) const;
  Value abs(Value a) const;
  Value sqrt(Value a) const;
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c) const;
  Value copySign(Value magnitude, Value sign) const;
  Value trunc(Value a) const;

  /// Continues `rest` with coefficients of descending powers of `x` (Horner).
  Value horner(Value rest, Value x, Coefficients coefficients) const;
  Value polynomial(Value x, Coefficients coefficients) const;

  Value less(Value a, Value b) const;
  Value atLeast(Value a, Value b) const;
  Value equal(Value a, Value b) const;
  Value select(Value condition, Value yes, Value no) const;
  /// Clamps `x`; NaN stays NaN. The comparisons are those for which x86 has one
  /// instruction together with the select.
  Value clampBelow(Value x, double least) const;
  Value clampAbove(Value x, double most) const;

  // Bits and integers.
  Value bits(Value x) const;
  Value fromBits(Value x) const;
  Value addInt(Value a, Value b) const;
  Value subInt(Value a, Value b) const;
  Value andInt(Value a, Value b) const;
  Value xorInt(Value a, Value b) const;
  Value shiftLeft(Value a, int64_t places) const;
  /// Logical and arithmetic shift to the right.
  Value shiftRight(Value a, int64_t places) const;
  Value shiftRightSigned(Value a, int64_t places) const;
  Value compareInt(mlir::arith::CmpIPredicate predicate, Value a,
                   Value b) const;

  /// Converts f32 values of this shape to f64 of `wide()`, and back with one
  /// rounding.
  Value widen(Value x) const;
  Value narrow(Value x) const;

private:
  Value splat(mlir::Type type, mlir::TypedAttr value) const;
  bool isDouble() const;

  mlir::OpBuilder *b;
  mlir::Location at;
  mlir::Type floats, integers;
};

} // namespace pruner::math_expansion

#endif // PRUNER_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H
