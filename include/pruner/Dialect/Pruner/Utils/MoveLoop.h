//===- MoveLoop.h - choose the innermost loop of a linalg op ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_MOVELOOP_H
#define PRUNER_DIALECT_PRUNER_UTILS_MOVELOOP_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Turns `op` into a linalg.generic with the loop `loop` innermost; the others
/// keep their order. Fails without a change if `op` cannot be generalized.
mlir::FailureOr<mlir::linalg::GenericOp>
moveLoopInnermost(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                  unsigned loop);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_MOVELOOP_H
