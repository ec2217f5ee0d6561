//===- ErrorRules.h - running error analysis of scalar ops ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_ERRORRULES_H
#define PRUNER_LIB_VERIFICATION_ERRORRULES_H

#include "WideArithmetic.h"
#include "pruner/Verification/Reference.h"

#include "mlir/IR/IRMapping.h"

namespace pruner {

/// A value of a reference, and the error bound of a correct program.
struct Bounded {
  /// The result of exact operations: an f64 if the task has another float type,
  /// else of the task's type.
  mlir::Value value;
  /// An f64 (a tensor of them for a tensor), at least 0: the largest distance
  /// of a correct value. Infinity means that any value is correct. Null means
  /// exactly `value`.
  mlir::Value error;
  /// An i8 (a tensor of them for a tensor): a set of `SpecialValue`s that are
  /// correct as well, because some order of a sum or product gives them. Null
  /// means none.
  mlir::Value others = {};
};

inline bool isExact(llvm::ArrayRef<Bounded> operands) {
  return llvm::none_of(operands,
                       [](const Bounded &operand) { return operand.error; });
}

/// `value`, which may be anything where it has other values.
Bounded openOthers(WideArithmetic &wide, const Bounded &value);

/// An f64 of the reference counts as exact if it is an integer of at most this
/// many bits. Larger numbers may be integers only because they were rounded.
inline constexpr int kExactBitsOfDoubles = 20;

/// Errors in ulp that a correct program may have in elementary functions. CPUs
/// round division and square root correctly, but a division may be replaced by
/// products (pruner-invert-divisors). Functions of f16 and bf16 are computed in
/// f32, to which these bounds apply, and rounded once more.
inline constexpr double quotientUlps = 1, functionUlps = 2;

/// The properties of rounding to a type of the task.
struct Format {
  int precision;         ///< Bits of the significand.
  double unit;           ///< Unit roundoff.
  double tiny;           ///< The smallest positive number.
  double smallestNormal; ///< The smallest with all bits.
  double largest;        ///< The largest finite number.

  /// Whether every operation is rounded to the type, and f64 has more than
  /// twice its bits. Rounding the f64 sum, product, quotient or root then gives
  /// the same as rounding the exact one. Not for f32, whose products may be
  /// fused with sums.
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
/// precision and the propagation of errors. The errors of the operands are
/// propagated through the operation to all orders; then the rounding to the
/// type of the task is added (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed., section 3.3: running error analysis). An operation that
/// does not round adds nothing: for exact operands, a result that its type
/// represents exactly is exact.
///
/// Arithmetic on f16 and bf16 rounds correctly after every operation that does
/// not allow contraction. The reference therefore rounds values to their type,
/// and they have no error if their operands have none.
///
/// A float that may be anything may be NaN, so a result that is computed from
/// it may be anything as well. This includes bounded functions, which are NaN
/// there.
///
/// A value may have others: infinities or NaN that another order of a sum gives
/// (BoundedGeneric.h). An operation is evaluated with each of them as well. If
/// that gives infinity or NaN, the result has it as another value. If it gives
/// a number that is not within the error of the result, the result may be
/// anything.
///
/// A comparison whose operands are closer than their errors may go either way;
/// a selection by it may give either operand. An integer that is converted from
/// a float is uncertain only if the float is that close to a border.
class ErrorRules {
public:
  ErrorRules(mlir::OpBuilder &builder, mlir::Location loc)
      : wide(builder, loc) {}

  /// The counterpart of `op`, which has one scalar result. `operands` are the
  /// counterparts of its operands, in order. `anyOrder`: `op` combines the
  /// factors of a product in any order, so the roundings are not known.
  Bounded apply(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                bool anyOrder = false);

  /// `value`, with a previous `error` (or null), rounded to `type` with an
  /// error of at most `ulps` (1/2: correctly).
  Bounded round(mlir::Value value, mlir::Value error, mlir::Type type,
                double ulps);

  /// The number of `format` that is nearest to `value`; of two, the even one,
  /// or with `tiesAway` the larger one in magnitude.
  mlir::Value nearest(mlir::Value value, const Format &format,
                      bool tiesAway = false);

  /// The product that `op` adds to a sum, perhaps without rounding it first.
  /// It may be beyond the range of the type, where a product that is rounded
  /// first is infinite.
  Bounded fusibleProduct(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);

  Bounded negated(const Bounded &value);

  /// Rounds once, correctly; the result is exact if `exact` is.
  Bounded roundOnce(const Bounded &exact, mlir::Type type,
                    bool tiesAway = false);

  /// Whether `op` rounds its result to a type whose roundings are determined.
  static bool isDetermined(mlir::Operation *op);

  WideArithmetic wide;

private:
  /// The rule for `op` where no operand may be anything.
  Bounded rule(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
               bool anyOrder);
  /// `result`, or anything where one of the floats that it is made of may be.
  Bounded openBeside(const Bounded &result, llvm::ArrayRef<Bounded> operands);
  /// `result`, with the results for the other values of the operands.
  Bounded withOthers(mlir::Operation *op, const Bounded &result,
                     llvm::ArrayRef<Bounded> operands);
  Bounded othersOfSelection(const Bounded &result,
                            llvm::ArrayRef<Bounded> operands);
  Bounded copySign(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  mlir::Value evaluate(mlir::Operation *op, mlir::ValueRange operands);
  mlir::Value anyOf(llvm::ArrayRef<Bounded> operands);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value product(const Bounded &a, const Bounded &b);
  Bounded extremum(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  /// Whether an integer may be negative in one right program and not in
  /// another; null if not.
  mlir::Value mayChangeSign(const Bounded &operand);
  Bounded compare(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded select(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded toInteger(mlir::Operation *op, const Bounded &operand);
  Bounded bitcast(mlir::Operation *op, const Bounded &operand);
  Bounded integer(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  Bounded fromInteger(mlir::Operation *op, const Bounded &operand);
  Bounded roundedResult(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                        bool determined);
  /// Whether `op` is a product that may be fused with a sum before it is
  /// rounded.
  static bool isFusible(mlir::Operation *op);
  /// Handles a product that overflows although its factors are finite. A sum
  /// that is fused with it uses the exact product and may be finite, so the
  /// result may be any value.
  Bounded openOverflow(const Bounded &product, llvm::ArrayRef<Bounded> factors);
  Bounded floating(mlir::Operation *op, llvm::ArrayRef<Bounded> operands,
                   bool determined);
  Bounded function(mlir::Operation *op, llvm::ArrayRef<Bounded> operands);
  /// The distance of `op`'s result from its values within the error of its only
  /// operand; exact for monotone functions.
  mlir::Value spread(mlir::Operation *op, mlir::Value result,
                     const Bounded &operand);
  mlir::Value powerSpread(mlir::Operation *op, mlir::Value result,
                          llvm::ArrayRef<Bounded> operands);
  mlir::Value angleSpread(llvm::ArrayRef<Bounded> operands);
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_ERRORRULES_H
