//===- InlineBody.h - bodies of statements on scalars and vectors -*- C++
//-*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H
#define PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H

#include "mlir/IR/Builders.h"

namespace pruner {

/// Writes the operations of `body` at the insertion point with `arguments` for
/// its block arguments and returns what it yields. Arguments may be scalars or
/// vectors (all of the same length); an operation with a vector operand becomes
/// the vector operation, its scalar operands are broadcast. With `contract`,
/// additions and multiplications of f32 and f64 may be fused. Integer divisions
/// never trap (`safeDivisor`).
mlir::Value inlineBody(mlir::OpBuilder &builder, mlir::Block &body,
                       mlir::ValueRange arguments, bool contract);

/// `value` as a vector of `lanes` lanes; unchanged if it is one already.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t lanes);

/// A vector of scalars.
mlir::Value vectorFrom(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::ValueRange elements);

/// Whether vectors of `element` lie in memory as its scalars do. Scalars of
/// less than a byte take one each, but the lanes of a vector are packed.
bool hasPlainVectors(mlir::Type element);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_INLINEBODY_H
