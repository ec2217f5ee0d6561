//===- Combiner.h - the operation that accumulates --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_COMBINER_H
#define PRUNER_DIALECT_PRUNER_IR_COMBINER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Operation.h"

#include <array>
#include <optional>

namespace pruner {

/// The operation by which a reduction's body combines a new value with its
/// accumulator. All of these may be applied in any order, including NaN,
/// infinities and zeros of either sign. Two differences are ignored: the
/// rounding of floats, as tiling does, and the sign of zero where the operation
/// does not define it, as in maxnumf.
enum class Combiner { Sum, Product, Max, Min, And, Or, Xor };

/// "sum", "max" and so on.
llvm::StringRef combinerName(Combiner combiner);

struct CombinerMatch {
  Combiner combiner;
  /// The value that is combined with the accumulator.
  mlir::Value contribution;
};

/// Matches a body that yields acc (+) f(inputs), where the accumulator acc is
/// the last argument and f does not depend on it. A sum may be written as a
/// difference. A maximum or minimum may be written as a comparison and a
/// select: of integers, or of floats if the fast-math flags of the comparison
/// state that NaN and the signs of zeros do not matter. Integer sums and
/// products with overflow flags do not match, because another order may
/// overflow.
std::optional<CombinerMatch> matchCombiner(mlir::Block &body);

/// The operation of such a body, if the accumulator has no other use and the
/// same operation combines two partial results (so no difference and no
/// select). Otherwise null.
mlir::Operation *getCombiner(mlir::Block &body);

/// Whether such a body adds products with input `input`, perhaps extended. It
/// adds nothing where the input is zero and the other factor is finite.
bool addsMultiplesOf(mlir::Block &body, unsigned input);

/// Matches a body of two inputs that adds their product to the accumulator,
/// where both are first extended to the accumulator's type, which holds the
/// product of integers or floats of at most half its width exactly or modulo
/// its range. Numbers of f32 may instead be rounded to tf32 there
/// (`multipliesTensorFloats`). Returns for each input whether its integers are
/// signed (true for floats).
std::optional<std::array<bool, 2>> matchExactProduct(mlir::Block &body);

/// Whether such a body multiplies numbers of f32 that it first rounds to tf32,
/// to nearest, ties away from zero, as `cvt.rna.tf32.f32` does. The body has
/// `arith.truncf to_nearest_away : f32 to tf32` and the extension to f32.
bool multipliesTensorFloats(mlir::Block &body);

/// Whether the body adds the product of its two inputs, all of f16, to the
/// accumulator, and the flag `contract` of both operations leaves it open
/// whether the product is rounded. Instructions then add exact products in
/// groups of any size, and round each sum to f16.
bool addsHalfProducts(mlir::Block &body);

/// What instructions can multiply: `matchExactProduct` or `addsHalfProducts`.
std::optional<std::array<bool, 2>> matchProduct(mlir::Block &body);

/// The neutral element of `combiner`, an operation that `getCombiner` returned.
/// It is neutral for NaN, infinities and zeros of either sign as well.
mlir::TypedAttr neutralElement(mlir::Operation *combiner);

/// Applies `combiner` to `a` and `b`, which are elements or vectors of them.
mlir::Value combineBy(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Operation *combiner, mlir::Value a, mlir::Value b);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_COMBINER_H
