//===- ErrorRules.h - running error analysis of scalar ops ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_ERRORRULES_H
#define PRUNER_LIB_VERIFICATION_ERRORRULES_H

#include "WideArithmetic.h"

#include "mlir/IR/IRMapping.h"

namespace pruner {

/// A value of a reference and how far a right program may be from it.
struct Bounded {
  /// What the exact operations give: an f64 where the task has another float,
  /// else of the task's type.
  mlir::Value value;
  /// An f64 (a tensor of them beside a tensor), at least 0: what a right
  /// program computes in its place is at most this far away, and infinity says
  /// that it may be anything. Null: exactly `value`.
  mlir::Value error;
};

/// An f64 of the reference counts as exact if it is an integer of no more bits:
/// rounding makes larger ones of what is none.
inline constexpr int kExactBitsOfDoubles = 20;

/// Errors of the elementary functions in ulp that a right program may make.
/// Division and square root are rounded correctly by CPUs, but a division may
/// be written as products (pruner-invert-divisors). Functions of f16 and bf16
/// are computed in f32, to which these apply, and rounded once more.
inline constexpr double quotientUlps = 1, functionUlps = 2;

/// What rounding to a type of the task does.
struct Format {
  int precision;         ///< Bits of the significand.
  double unit;           ///< Unit roundoff.
  double tiny;           ///< The smallest positive number.
  double smallestNormal; ///< The smallest with all bits.
  double largest;        ///< The largest finite number.

  /// Whether every operation is rounded to the type and f64 has more than twice
  /// its bits, so that rounding the sum, product, quotient or root of f64 gives
  /// what rounding the exact one gives. Not f32: its products may be fused with
  /// sums.
  bool isDetermined() const { return precision <= 11; }

  explicit Format(mlir::Type type) {
    const llvm::fltSemantics &semantics =
        mlir::cast<mlir::FloatType>(type).getFloatSemantics();
    precision = int(llvm::APFloat::semanticsPrecision(semantics));
    unit = std::ldexp(1.0, -precision);
    tiny = toDouble(llvm::APFloat::getSmallest(semantics));
    smallestNormal = toDouble(llvm::APFloat::getSmallestNormalized(semantics));
    largest = toDouble(llvm::APFloat::getLargest(semantics));
  }

private:
  static double toDouble(llvm::APFloat value) {
    bool ignored;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &ignored);
    return value.convertToDouble();
  }
};

/// Writes, for scalar operations of a task, the same operation in double
/// precision and beside it the propagation of errors: those of the operands,
/// first to infinite order through the operation, then its own rounding to the
/// type of the task (Higham, Accuracy and Stability of Numerical Algorithms,
/// 2nd ed., section 3.3: running error analysis). What rounds nothing adds
/// nothing: a result that its type represents exactly, of exact operands, is
/// exact.
///
/// Arithmetic on f16 and bf16 is rounded correctly after every operation that
/// does not allow contraction, so values are rounded to their type here as well
/// and have no error where their operands have none.
///
/// A comparison whose operands are closer than their errors may go either way;
/// a selection by it may give either operand. An integer made of a float is
/// uncertain only where the float is that close to a border.
class ErrorRules {
public:
  ErrorRules(mlir::OpBuilder &builder, mlir::Location loc)
      : wide(builder, loc) {}

  /// The counterpart of `op`, which has one scalar result. `operands` stand for
  /// its operands, in order. `anyOrder`: `op` combines the factors of a
  /// product, which may be multiplied in any order, so the roundings are not
  /// known.
  Bounded apply(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                bool anyOrder = false);

  /// `value`, off by `error` (or null) before, rounded to `type` with at most
  /// `ulps` of error (1/2: correctly).
  Bounded round(mlir::Value value, mlir::Value error, mlir::Type type,
                double ulps);

  /// The number of `format` that is nearest to `value`, the even one of two.
  mlir::Value nearest(mlir::Value value, const Format &format);

  /// The same rounded once, correctly: exact if it was exact before.
  Bounded roundOnce(const Bounded &exact, mlir::Type type);

  /// Whether `op` rounds its result to a type whose roundings are determined.
  static bool isDetermined(mlir::Operation *op);

  WideArithmetic wide;

private:
  mlir::Value evaluate(mlir::Operation *op, mlir::ValueRange operands);
  mlir::Value anyOf(llvm::ArrayRef<Bounded> operands);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value product(const Bounded &a, const Bounded &b);
  Bounded extremum(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded compare(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded select(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded toInteger(mlir::Operation *op, const Bounded &operand);
  Bounded bitcast(mlir::Operation *op, const Bounded &operand);
  Bounded integer(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded fromInteger(mlir::Operation *op, const Bounded &operand);
  Bounded roundedResult(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                        bool determined);
  /// Whether `op` is a product that a sum may take in before it is rounded.
  static bool isFusible(mlir::Operation *op);
  /// A product that overflows although its factors are finite. A sum that it is
  /// fused with takes it in exactly and may be finite, so the result may be
  /// anything.
  Bounded openOverflow(const Bounded &product, llvm::ArrayRef<Bounded> factors);
  Bounded floating(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                   bool determined);
  Bounded function(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  /// The distance of `op`'s result from its values where its only operand is
  /// off by its error; exact for monotone functions.
  mlir::Value spread(mlir::Operation *op, mlir::Value result,
                     const Bounded &operand);
  mlir::Value powerSpread(mlir::Operation *op, mlir::Value result,
                          llvm::ArrayRef<Bounded> operands);
  mlir::Value angleSpread(llvm::ArrayRef<Bounded> operands);
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_ERRORRULES_H
