//===- IndexForm.h - linear forms over loop indices -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Lowering computes offsets such as 96*i + 6*x + 3. With linear forms and known
// trip counts, the floordiv and mod of a packed layout nearly always cancel,
// and common parts of many addresses stay equal.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_INDEXFORM_H
#define PRUNER_DIALECT_PRUNER_UTILS_INDEXFORM_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace pruner {

/// `coeff * index`, where 0 <= index < trips (trips == 0: unknown).
struct IndexTerm {
  mlir::Value index;
  int64_t coeff = 1;
  int64_t trips = 0;
  /// The induction variable of the dialect that `index` replaces, if any.
  mlir::Value iv;
};

/// A sum of terms and a constant. Terms have non-negative values.
class IndexForm {
public:
  IndexForm() = default;
  explicit IndexForm(int64_t constant) : constant(constant) {}
  explicit IndexForm(IndexTerm term) { terms.push_back(term); }

  static IndexForm opaque(mlir::Value value) {
    return IndexForm(IndexTerm{value, 1, 0, {}});
  }

  IndexForm operator+(const IndexForm &other) const;
  IndexForm operator+(int64_t value) const;
  IndexForm operator*(int64_t factor) const;

  /// The form without the terms of the given induction variables.
  IndexForm without(mlir::ValueRange ivs) const;

  /// Quotient and remainder, if the known trip counts show that the terms
  /// separate into multiples of `divisor` and a remainder below it.
  struct Split;
  std::optional<Split> split(int64_t divisor) const;

  bool isConstant() const { return terms.empty(); }
  int64_t getConstant() const { return constant; }
  llvm::ArrayRef<IndexTerm> getTerms() const { return terms; }
  /// True if the coefficients and the constant are all multiples of `factor`.
  bool isMultipleOf(int64_t factor) const;
  /// The largest value, if all trip counts are known.
  std::optional<int64_t> maximum() const;
  bool mayBeNegative() const;
  /// True if the value may be `bound` or above.
  bool mayReach(int64_t bound) const;

private:
  /// True if the value decreases with an index.
  bool decreases() const;

  llvm::SmallVector<IndexTerm, 4> terms;
  int64_t constant = 0;
};

struct IndexForm::Split {
  IndexForm quotient, remainder;
};

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_INDEXFORM_H
