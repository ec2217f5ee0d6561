//===- ScalarOps.h - what the bodies of linalg ops compute ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_SCALAROPS_H
#define PRUNER_RECOGNITION_SCALAROPS_H

#include "pruner/Program/Task.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// Whether the bodies of extracted tasks may hold `op`: what every target has
/// an instruction or a function for.
bool isTaskScalarOp(mlir::Operation *op);

/// Counts the scalar operations of a body, by class: those of the dialects
/// arith and math, on floats and integers alike. Casts and constants are no
/// operations, math.fma is two.
OpCounts countOps(mlir::Block &body);
void countOp(mlir::Operation &op, OpCounts &counts);

/// Number of points in the iteration domain of an op with static shapes. This,
/// and what follows from it, ends at `kHugeSize` (Support/Sizes.h).
int64_t numPoints(mlir::linalg::LinalgOp op);

/// `OpCounts::arithmetic` of all points of `op`.
int64_t numFlops(mlir::linalg::LinalgOp op);

/// The map of the only result of `op`.
mlir::AffineMap outputMapOf(mlir::linalg::LinalgOp op);

/// True if the body of `op` computes nothing: a copy, broadcast or permutation,
/// perhaps into a wider type. Doing it again costs no more than reading.
bool isPureCopy(mlir::linalg::GenericOp op);

} // namespace pruner

#endif // PRUNER_RECOGNITION_SCALAROPS_H
