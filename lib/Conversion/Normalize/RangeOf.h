//===- RangeOf.h - ranges of integers in bodies -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_RANGEOF_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_RANGEOF_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pruner {

/// The integers from `low` to `high`.
struct IntegerRange {
  int64_t low, high;
  int64_t magnitude() const { return std::max(-low, high); }
};

/// All integers of `bits` bits, at most 32.
IntegerRange rangeOfType(unsigned bits, bool isSigned);

/// `range`, the exact result of an operation on signed integers, if `type`
/// holds it.
std::optional<IntegerRange> checked(IntegerRange range, mlir::Type type);

/// A range that contains `value`, a signed integer of at most 64 bits. It
/// follows extensions, sums and differences, in the body of a linalg op and in
/// the elementwise ops that compute its operands. None if it finds no range.
std::optional<IntegerRange> rangeOf(mlir::Value value);

/// `op` (may be null) if it computes one tensor of static shape element by
/// element. Otherwise null.
mlir::linalg::LinalgOp elementwiseOp(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_RANGEOF_H
