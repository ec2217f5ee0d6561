//===- Range.h - ranges of computed numbers ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_INTERPRETER_RANGE_H
#define PRUNER_FUZZING_INTERPRETER_RANGE_H

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace pruner {

/// Every value that a floating-point element may have, however the program was
/// compiled: the numbers in [lo, hi], and NaN if `nan`. If lo > hi it is
/// certainly NaN. The sign of zero is not tracked.
struct RealRange {
  double lo, hi;
  bool nan;

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static RealRange exactly(double value) {
    return std::isnan(value) ? notANumber() : RealRange{value, value, false};
  }
  static RealRange notANumber() { return {infinity, -infinity, true}; }
  static RealRange anything() { return {-infinity, infinity, true}; }

  bool isEmpty() const { return lo > hi; }
  bool isPoint() const { return lo == hi && !nan; }
  bool contains(double value) const {
    return std::isnan(value) ? nan : lo <= value && value <= hi;
  }
  double magnitude() const {
    return isEmpty() ? 0 : std::max(std::fabs(lo), std::fabs(hi));
  }
  RealRange join(const RealRange &other) const {
    return {std::min(lo, other.lo), std::max(hi, other.hi), nan || other.nan};
  }
};

/// Every value that an integer element may have, in [lo, hi]; sign-extended,
/// except for i1, which is 0 or 1.
struct IntegerRange {
  int64_t lo, hi;

  static IntegerRange exactly(int64_t value) { return {value, value}; }
  bool isPoint() const { return lo == hi; }
  bool contains(int64_t value) const { return lo <= value && value <= hi; }
  IntegerRange join(const IntegerRange &other) const {
    return {std::min(lo, other.lo), std::max(hi, other.hi)};
  }
};

/// One element; its type determines the member.
union Cell {
  RealRange real;
  IntegerRange integer;

  Cell() : real(RealRange::anything()) {}
  Cell(RealRange real) : real(real) {}
  Cell(IntegerRange integer) : integer(integer) {}
};

/// The properties of rounding to a floating-point type.
struct RealType {
  double roundoff; ///< Half a unit in the last place of 1.
  double smallest; ///< The smallest denormal number.
  double largest;  ///< The largest finite number.
  int digits;      ///< Bits of the significand.
  /// Whether every result is rounded to the type, so that the exact result
  /// determines the number: f16 and bf16. Their sums, products, quotients and
  /// roots may be rounded to double first, which has more than twice their
  /// digits.
  bool determined;

  static RealType of(mlir::FloatType type);
  /// For a result that may keep more digits than the type has.
  RealType undetermined() const {
    RealType type = *this;
    type.determined = false;
    return type;
  }
  /// Whether a finite `value` is a number of this type.
  bool holds(double value) const;
  /// `value` rounded to nearest, ties to even.
  double nearest(double value) const;
};

/// The number of bits of an integer type; 64 for index.
unsigned integerWidth(mlir::Type type);
/// All values of an integer type of that width.
IntegerRange allIntegers(unsigned width);
/// The low `width` bits of `value`, sign-extended (i1: 0 or 1).
int64_t wrapInteger(int64_t value, unsigned width);

/// The possible results of an operation with exact results in `exact`. Each is
/// wrong by at most `ulps` units in the last place of `type`, in addition to
/// half a unit for the rounding; a unit is at least the smallest denormal
/// number. If the type is determined, the units are those of f32, and the
/// result is rounded.
RealRange rounded(RealRange exact, const RealType &type, double ulps = 0);

RealRange add(RealRange a, RealRange b, const RealType &type);
RealRange subtract(RealRange a, RealRange b, const RealType &type);
RealRange multiply(RealRange a, RealRange b, const RealType &type);
RealRange divide(RealRange a, RealRange b, const RealType &type);
RealRange remainder(RealRange a, RealRange b, const RealType &type);
RealRange negate(RealRange a);
RealRange absolute(RealRange a);
/// maximumf (`propagate`: NaN if either operand is) and maxnumf.
RealRange larger(RealRange a, RealRange b, bool propagate);
RealRange smaller(RealRange a, RealRange b, bool propagate);

/// The sum of many terms in any order and any association, with some products
/// possibly fused. The error is at most (n - 1) u times the sum of the
/// magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
/// section 4.2), to first order.
class SumRange {
public:
  SumRange() = default;
  /// `flushes`: each step may take subnormal numbers of f32 as zero, both what
  /// it adds to and its result.
  explicit SumRange(bool flushes) : flushes(flushes) {}

  void add(const RealRange &term);
  RealRange total(const RealType &type) const;

private:
  double lo = 0, hi = 0, magnitudes = 0;
  int64_t terms = 0;
  bool nan = false, certainlyNaN = false, exact = true, flushes = false;
};

} // namespace pruner

#endif // PRUNER_FUZZING_INTERPRETER_RANGE_H
