//===- AsGeneric.h - linalg ops in their general form -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_ASGENERIC_H
#define PRUNER_DIALECT_PRUNER_UTILS_ASGENERIC_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// `op` if it is a linalg.generic, or else the generic that replaces it. Leaves
/// the insertion point before it. Fails without a change if `op` has no such
/// form.
inline mlir::FailureOr<mlir::linalg::GenericOp>
asGeneric(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op) {
  rewriter.setInsertionPoint(op);
  if (auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(op.getOperation()))
    return generic;
  mlir::FailureOr<mlir::linalg::GenericOp> generic =
      mlir::linalg::generalizeNamedOp(rewriter, op);
  if (mlir::succeeded(generic))
    rewriter.setInsertionPoint(*generic);
  return generic;
}

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_ASGENERIC_H
