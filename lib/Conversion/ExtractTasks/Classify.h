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

#include <string>

namespace pruner {

/// What an op is to task extraction.
struct OpClass {
  enum Kind {
    NotComputation, ///< Not a linalg op, or fill, yield, index.
    Contraction,    ///< Anchor of a task.
    Elementwise,    ///< Prologue, epilogue or a task of its own.
    Outside         ///< A linalg op that cannot be part of a task.
  };
  Kind kind = NotComputation;
  /// Outside: one or two words for tables ("convolution") and the sentence for
  /// the remark.
  std::string category, reason;
};

/// Looks at one op, not at its neighbours.
OpClass classify(mlir::Operation *op);

bool isAnchor(mlir::Operation *op);
bool isElementwisePart(mlir::Operation *op);

/// Number of points in the iteration domain of an op with static shapes.
int64_t numPoints(mlir::linalg::LinalgOp op);

/// Floating-point operations of one execution of `op`: for every point one for
/// each add, sub, mul, div, min, max, neg, cmp or math op of the body (two for
/// math.fma); casts, selects and constants are free.
int64_t numFlops(mlir::linalg::LinalgOp op);

/// True if the body of `op` computes nothing: a copy, broadcast or permutation.
bool isPureCopy(mlir::linalg::GenericOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_CLASSIFY_H
