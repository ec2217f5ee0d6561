//===- Classify.h - what can be part of a task -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_CLASSIFY_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_CLASSIFY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <string>

namespace pruner {

/// What an op is to task extraction.
struct OpClass {
  enum Kind {
    NotComputation, ///< Neither arithmetic nor a copy of a tensor.
    Anchor,         ///< Has a reduction; a task of its own.
    Elementwise,    ///< Prologue, epilogue or a task of its own.
    Outside         ///< Work that cannot be part of a task.
  };
  Kind kind = NotComputation;
  /// Outside: one or two words for tables ("gather") and the sentence for the
  /// remark.
  std::string category, reason;
};

/// Looks at one op, not at its neighbours.
OpClass classify(mlir::Operation *op);

bool isAnchor(mlir::Operation *op);
bool isElementwisePart(mlir::Operation *op);

/// Whether `pad` can be part of the task that reads it: static, not negative,
/// the same constant everywhere.
bool isFoldablePad(mlir::tensor::PadOp pad);

/// Number of points in the iteration domain of an op with static shapes. This,
/// and what follows from it, ends at `kHugeSize` (Support/Sizes.h).
int64_t numPoints(mlir::linalg::LinalgOp op);

/// Arithmetic operations of one execution of `op`: for every point one for
/// each addition, product, quotient, minimum, maximum, comparison or math op of
/// the body, on floats or integers (two for math.fma); casts, selects, bit
/// operations and constants are free.
int64_t numFlops(mlir::linalg::LinalgOp op);

/// Bytes of a tensor; i1 takes one each. 0 for what has no static shape.
int64_t bytesOf(mlir::Type type);

/// True if the body of `op` computes nothing: a copy, broadcast or permutation,
/// perhaps into a wider type. Doing it again costs no more than reading.
bool isPureCopy(mlir::linalg::GenericOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_CLASSIFY_H
