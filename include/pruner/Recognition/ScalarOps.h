//===- ScalarOps.h - scalar operations in bodies of linalg ops --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_SCALAROPS_H
#define PRUNER_RECOGNITION_SCALAROPS_H

#include "pruner/Program/Task.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// True if the bodies of extracted tasks may contain `op`: every target has an
/// instruction or a function for it.
bool isTaskScalarOp(mlir::Operation *op);

/// Counts the scalar operations of a body by class: ops of the arith and math
/// dialects, on floats and on integers. Casts and constants do not count;
/// math.fma counts as two.
OpCounts countOps(mlir::Block &body);

/// The same for the body of a sum (or another reduction) of floats. `maps`
/// belong to the arguments of the body; the last one is that of the result.
/// Operations on elements that do not depend on every coordinate of the result
/// of more than one element, such as the dequantization of a weight, are not
/// counted: their values serve all positions of a register tile. `extents` are
/// those of the loops.
OpCounts countReduction(mlir::Block &body, llvm::ArrayRef<mlir::AffineMap> maps,
                        llvm::ArrayRef<int64_t> extents);

/// The counts of the body of `op`.
OpCounts countOps(mlir::linalg::LinalgOp op);
void countOp(mlir::Operation &op, OpCounts &counts);

/// Number of points in the iteration domain of an op with static shapes. This
/// and derived numbers saturate at `kHugeSize` (Support/Sizes.h).
int64_t numPoints(mlir::linalg::LinalgOp op);

/// `OpCounts::arithmetic`, summed over all points of `op`.
int64_t numFlops(mlir::linalg::LinalgOp op);

/// The output map of `op`, which has one result.
mlir::AffineMap outputMapOf(mlir::linalg::LinalgOp op);

/// True if computing an element of `op` again costs no more than to load it: a
/// few operations on tensors that are much smaller than the result (a causal
/// mask, computed from positions).
bool isCheaperThanItsResult(mlir::linalg::GenericOp op);

/// True if the body of `op` computes nothing: a copy, broadcast or permutation,
/// perhaps into a wider type. Repeating it costs no more than reading its
/// input.
bool isPureCopy(mlir::linalg::GenericOp op);

} // namespace pruner

#endif // PRUNER_RECOGNITION_SCALAROPS_H
