//===- BorderSearch.h - find changes of decisions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_BORDERSEARCH_H
#define PRUNER_LIB_VERIFICATION_BORDERSEARCH_H

#include "ScalarSteps.h"
#include "pruner/Verification/ElementData.h"

#include "mlir/IR/BuiltinTypes.h"
#include <functional>
#include <optional>

namespace pruner {

/// The numbers of a type in order, as consecutive integers, so that bisection
/// ends at neighbors.
class NumberLine {
public:
  explicit NumberLine(mlir::Type type);

  int64_t placeOf(Scalar value) const;
  Scalar at(int64_t place) const;
  bool isIntegers() const { return !mlir::isa<mlir::FloatType>(type); }
  int64_t lowest() const { return least; }
  int64_t highest() const { return most; }
  /// Places of values with a magnitude of at most `reach`, spread evenly on a
  /// logarithmic scale, in no order.
  llvm::SmallVector<int64_t> spread(double reach, ElementStream &random) const;

private:
  mlir::Type type;
  int64_t least, most;
};

/// Searches for borders along one number.
class BorderSearch {
public:
  /// A hash of the decisions for a value; std::nullopt if the task is not
  /// defined for it.
  using Decide = std::function<std::optional<uint64_t>(Scalar)>;

  /// `others` are numbers of the same type with which it may be compared.
  BorderSearch(mlir::Type type, double reach, Decide decide,
               llvm::ArrayRef<Scalar> others, ElementStream &random)
      : line(type), reach(reach), decide(std::move(decide)), others(others),
        random(random) {}

  /// A value for attempt `n`. Successive attempts cycle through: next to or
  /// below the lowest border, next to or above the highest, next to some
  /// border, next to an evenly drawn border between both, anywhere between
  /// both, or a value that differs from another number only in bits 32 and
  /// above. std::nullopt if there is no border.
  std::optional<Scalar> find(int64_t n);

private:
  /// Finds neighbors with different decisions between two places with different
  /// ones. `toward`: -1 the lowest such pair, 1 the highest, 0 any.
  std::optional<int64_t> bisect(int64_t low, int64_t high, int toward);
  std::optional<uint64_t> decisionAt(int64_t place) {
    return decide(line.at(place));
  }
  int64_t between(int64_t low, int64_t high);
  Scalar beside(int64_t border);
  /// A place between two places, drawn evenly in value.
  int64_t inside(int64_t low, int64_t high);
  /// A value below or above both, by a part of their distance that is drawn on
  /// a logarithmic scale. An end that is one step off only shows one step
  /// after it.
  Scalar beyond(int64_t low, int64_t high, bool above);

  NumberLine line;
  double reach;
  Decide decide;
  llvm::ArrayRef<Scalar> others;
  ElementStream &random;
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BORDERSEARCH_H
