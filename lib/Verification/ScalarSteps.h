//===- ScalarSteps.h - scalar code and its discrete decisions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_SCALARSTEPS_H
#define PRUNER_LIB_VERIFICATION_SCALARSTEPS_H

#include "mlir/IR/Operation.h"
#include <cstdint>

namespace pruner {

/// A number of a task, in the task's own type.
///
/// Its trail is a hash of the decisions on which it depends: results of
/// comparisons, the operand that a minimum or maximum kept, the result of a
/// rounding, a shift or a division, and the bits that a truncation dropped.
/// Decisions that a clamp hides are not in it. If the trail differs between two
/// inputs, there is a border between them: a clamp, a tie, or an end of a type.
struct Scalar {
  double real = 0;
  int64_t integer = 0; ///< Sign-extended; i1 is 0 or 1.
  uint64_t trail = 0;

  static Scalar of(double value) { return {value, 0, 0}; }
  static Scalar of(int64_t value) { return {0, value, 0}; }
};

/// A trail of both.
inline uint64_t mixTrails(uint64_t a, uint64_t b) {
  if (a == 0 && b == 0)
    return 0;
  uint64_t hash = (a ^ 0x2545f4914f6cdd1d) * 0x9e3779b97f4a7c15 + b;
  hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9;
  return hash ^ hash >> 32;
}

/// Whether `op` adds a decision to the trail.
bool isStep(mlir::Operation *op);

/// `value` rounded, or wrapped, to `type`.
Scalar narrowed(Scalar value, mlir::Type type);

/// The result of a scalar op, rounded to its type like the op does. Returns
/// false if the op is unknown, has another number of results, or is not defined
/// for these operands.
bool evaluateScalar(mlir::Operation *op, llvm::ArrayRef<Scalar> operands,
                    Scalar &result);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_SCALARSTEPS_H
