//===- Combiner.h - the operation that accumulates --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_IR_COMBINER_H
#define PRUNER_DIALECT_PRUNER_IR_COMBINER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace pruner {

/// The operation of a reduction's body that combines the accumulator (the last
/// argument) with the rest, if it is the only one that uses it, its result is
/// what the body yields, and it is associative and commutative with a neutral
/// element: a sum, product, minimum, maximum or bitwise operation. Floating
/// point counts as associative here, as it does for tiling. Else null.
mlir::Operation *getCombiner(mlir::Block &body);

/// `combiner` once more, of `a` and `b`: elements or vectors of them.
mlir::Value combineBy(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Operation *combiner, mlir::Value a, mlir::Value b);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_COMBINER_H
