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

#include <optional>

namespace pruner {

/// How a reduction's body joins a new value with its accumulator. All of these
/// may be applied in any order; floating point counts as associative here, as
/// it does for tiling.
enum class Combiner { Sum, Product, Max, Min, And, Or, Xor };

/// "sum", "max" and so on.
llvm::StringRef combinerName(Combiner combiner);

struct CombinerMatch {
  Combiner combiner;
  /// What is joined with the accumulator.
  mlir::Value contribution;
};

/// Recognises a body that yields acc (+) f(inputs), where the accumulator acc
/// is the last argument and f does not see it. A sum may be spelled as a
/// difference, a maximum or minimum as an ordered comparison and a select.
std::optional<CombinerMatch> matchCombiner(mlir::Block &body);

/// The operation of such a body if the accumulator has no other use and two
/// partial results may be joined by the same operation: no difference and no
/// select. Else null.
mlir::Operation *getCombiner(mlir::Block &body);

/// `combiner` once more, of `a` and `b`: elements or vectors of them.
mlir::Value combineBy(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Operation *combiner, mlir::Value a, mlir::Value b);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_COMBINER_H
