//===- InlineBody.h - inline bodies of statements ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H
#define PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H

#include "mlir/IR/Builders.h"

namespace pruner {

/// Emits the operations of `body` at the insertion point with `arguments` for
/// its block arguments, and returns the yielded value. Arguments may be scalars
/// or vectors of one length. An operation with a vector operand becomes a
/// vector operation, and its scalar operands are broadcast. With `contract`,
/// additions and multiplications of f32 and f64 may be fused. Integer divisions
/// never trap (`safeDivisor`).
mlir::Value inlineBody(mlir::OpBuilder &builder, mlir::Block &body,
                       mlir::ValueRange arguments, bool contract);

/// `value` broadcast to `lanes` lanes; unchanged if it is a vector.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t lanes);

/// A vector with the given scalars as lanes.
mlir::Value vectorFrom(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ValueRange elements);

/// True if a vector of `element` has the memory layout of an array of scalars.
/// Scalars of less than a byte take one byte each, but the lanes of a vector
/// are packed.
bool hasPlainVectors(mlir::Type element);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H
