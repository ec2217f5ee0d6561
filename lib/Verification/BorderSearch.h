//===- BorderSearch.h - where decisions change ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_BORDERSEARCH_H
#define PRUNER_LIB_VERIFICATION_BORDERSEARCH_H

#include "ScalarSteps.h"
#include "pruner/Verification/ElementData.h"

#include "mlir/IR/BuiltinTypes.h"
#include <functional>
#include <optional>

namespace pruner {

/// The numbers of a type in order, as consecutive integers, so that bisection
/// ends at neighbours.
class NumberLine {
public:
  explicit NumberLine(mlir::Type type);

  int64_t placeOf(Scalar value) const;
  Scalar at(int64_t place) const;
  bool isIntegers() const { return !mlir::isa<mlir::FloatType>(type); }
  int64_t lowest() const { return least; }
  int64_t highest() const { return most; }
  /// Places whose magnitudes are spread evenly in logarithm, of values of a
  /// magnitude of at most `reach`, in no order.
  llvm::SmallVector<int64_t> spread(double reach, ElementStream &random) const;

private:
  mlir::Type type;
  int64_t least, most;
};

/// Looks for a border along one number.
class BorderSearch {
public:
  /// A hash of what is decided at a value; nothing where it is not defined.
  using Decide = std::function<std::optional<uint64_t>(Scalar)>;

  /// `others` are numbers of the same type that it may be compared with.
  BorderSearch(mlir::Type type, double reach, Decide decide,
               llvm::ArrayRef<Scalar> others, ElementStream &random)
      : line(type), reach(reach), decide(std::move(decide)), others(others),
        random(random) {}

  /// A value for attempt `n`: beside or below the lowest border, beside or
  /// above the highest, beside some border, beside one of the evenly drawn ones
  /// between both, anywhere between both, or one that differs from another
  /// number in bits 32 and above alone, in turns. Nothing where there is no
  /// border.
  std::optional<Scalar> find(int64_t n);

private:
  /// Neighbours with different decisions between two places with different
  /// ones. `toward`: -1 the lowest such pair, 1 the highest, 0 any.
  std::optional<int64_t> bisect(int64_t low, int64_t high, int toward);
  std::optional<uint64_t> decisionAt(int64_t place) {
    return decide(line.at(place));
  }
  int64_t between(int64_t low, int64_t high);
  Scalar beside(int64_t border);
  /// Between two places, evenly in value.
  int64_t inside(int64_t low, int64_t high);
  /// Below or above both, by a part of their distance that is as often small as
  /// large: an end that is one step off shows one step behind it.
  Scalar beyond(int64_t low, int64_t high, bool above);

  NumberLine line;
  double reach;
  Decide decide;
  llvm::ArrayRef<Scalar> others;
  ElementStream &random;
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BORDERSEARCH_H
