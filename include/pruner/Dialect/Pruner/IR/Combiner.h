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
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace pruner {

/// How a reduction's body joins a new value with its accumulator. All of these
/// may be applied in any order, of NaN, infinities and zeros of either sign,
/// too. Roundings of floats count as none here, as they do for tiling; so does
/// the sign of zero where the operation leaves it open, as maxnumf does.
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
/// difference, a maximum or minimum as a comparison and a select: of integers,
/// or of floats where the fast-math flags of the comparison say that what it
/// does not put in order, NaN and the signs of zeros, does not matter. Integer
/// sums and products that must not overflow keep their order.
std::optional<CombinerMatch> matchCombiner(mlir::Block &body);

/// The operation of such a body if the accumulator has no other use and two
/// partial results may be joined by the same operation: no difference and no
/// select. Else null.
mlir::Operation *getCombiner(mlir::Block &body);

/// What joined with any value by `combiner`, an operation that `getCombiner`
/// returned, gives that value: NaN, infinities and zeros of either sign, too.
mlir::TypedAttr neutralElement(mlir::Operation *combiner);

/// `combiner` once more, of `a` and `b`: elements or vectors of them.
mlir::Value combineBy(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Operation *combiner, mlir::Value a, mlir::Value b);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_COMBINER_H
