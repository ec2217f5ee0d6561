//===- Bodies.h - what the body of a linalg op computes --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_BODIES_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_BODIES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pruner {

/// Arithmetic operations that `op` costs for each point: one for an addition,
/// product, comparison or the like on floats or integers, two for math.fma,
/// none for casts, selects and bit operations. std::nullopt: not an op that a
/// task's body may hold.
std::optional<int64_t> flopsOf(mlir::Operation *op);

/// True for floats of 16, 32 or 64 bits, signless integers of 8 to 64 bits and
/// i1: what a task's tensors and bodies may hold.
bool isTaskElementType(mlir::Type type);

/// How a reduction's body joins a new value with its accumulator. All of these
/// may be applied in any order.
enum class Combiner { Sum, Product, Max, Min, And, Or, Xor };

/// "sum", "max" and so on.
llvm::StringRef combinerName(Combiner combiner);

struct CombinerMatch {
  Combiner combiner;
  /// What is joined with the accumulator.
  mlir::Value contribution;
};

/// Recognises a body with one result that yields acc (+) f(inputs), where f
/// does not see the accumulator. A maximum or minimum may be spelled as an
/// ordered comparison and a select.
std::optional<CombinerMatch> matchCombiner(mlir::linalg::LinalgOp op);

/// The inputs whose product, perhaps after casts, `op` sums up; std::nullopt
/// if it does anything else.
std::optional<std::pair<mlir::OpOperand *, mlir::OpOperand *>>
matchMultiplyAdd(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_BODIES_H
