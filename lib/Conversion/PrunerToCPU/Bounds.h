//===- Bounds.h - intervals of the values of a body -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_BOUNDS_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_BOUNDS_H

#include "mlir/IR/Block.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <limits>

namespace pruner {

/// The numbers that a float, or an i1 (0 or 1), may have: an interval of
/// numbers with infinities, and NaN. Zeros of both signs are equal. No number
/// is possible if `low` is above `high`.
struct Bounds {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  /// How a value is related to the row of scores that it belongs to.
  enum class Of : uint8_t {
    Other,
    Score,   ///< An element of the row.
    Largest, ///< The maximum of the row.
  };

  double low = -kInfinity, high = kInfinity;
  bool nan = true;
  Of of = Of::Other;
  /// With `Of::Score`: the element that is the maximum.
  bool isLargest = false;

  static Bounds exactly(double value) { return {value, value, false}; }
  static Bounds between(double low, double high) { return {low, high, false}; }
  static Bounds onlyNaN() { return {kInfinity, -kInfinity, true}; }

  bool hasNumbers() const { return low <= high; }
  bool isOnlyNaN() const { return nan && !hasNumbers(); }
  bool is(double value) const { return !nan && low == value && high == value; }
  bool contains(double value) const { return low <= value && value <= high; }
};

/// The largest finite number of the float type `type`.
double largestFinite(mlir::Type type);

using BoundsOfValues = llvm::DenseMap<mlir::Value, Bounds>;

/// Bounds of all values of `body`, a body of a statement. `given` returns the
/// bounds of an argument, or overrides those of any other value; none if it
/// knows nothing. Values of operations that are not known may be anything.
/// Bounds hold also if products are not rounded before they are added.
BoundsOfValues
boundsIn(mlir::Block &body,
         llvm::function_ref<std::optional<Bounds>(mlir::Value)> given);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_BOUNDS_H
