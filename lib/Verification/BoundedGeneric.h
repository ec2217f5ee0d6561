//===- BoundedGeneric.h - linalg ops with bounds ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H
#define PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H

#include "ErrorRules.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"
#include <array>

namespace pruner {

/// What the values of a task have become.
using BoundedValues = llvm::DenseMap<mlir::Value, Bounded>;

/// Writes the bounded form of one linalg.generic.
///
/// * A sum, or a difference of the accumulator and terms: five accumulators, of
///   the terms t, of |t| + e, of e, of how many are not zero, and of the finest
///   power of two that t is a multiple of; and an op behind that makes the
///   error of a sum in any order of them. In a contraction of two exact tensors
///   the last two follow from the factors alone, which takes far fewer steps.
/// * Any other op: the body with the rules of ErrorRules. What it accumulates
///   carries its error along; extrema and the like have the same bound in every
///   order.
/// * Products have it as long as no partial product leaves the type; the
///   largest and the smallest that any order may meet say so.
class BoundedGeneric {
public:
  /// `known` has the operands of `op` and what its body takes from outside.
  BoundedGeneric(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
                 const BoundedValues &known)
      : builder(builder), op(op), known(known) {}

  /// One for each result.
  llvm::SmallVector<Bounded> write();

private:
  /// The op that combines accumulator and term if `op` reduces floats to one
  /// result, and what it does with them is to add or subtract, or to multiply;
  /// else null.
  mlir::Operation *sumCombiner();
  mlir::Operation *productCombiner();
  mlir::Operation *combiner();
  /// What `combiner` combines the accumulator with.
  mlir::Value termOf(mlir::Operation *combiner);
  Bounded writeSum(mlir::Operation *combiner);
  /// The two inputs of a contraction: all terms that `combiner` adds to zero
  /// are products of an exact element of each, and neither has all loops.
  std::optional<std::array<mlir::OpOperand *, 2>>
  exactFactors(mlir::Operation *combiner);
  Bounded writeContraction(mlir::Operation *combiner,
                           llvm::ArrayRef<mlir::OpOperand *> factors);
  /// Of the terms of each result that a factor goes into: how many are not zero
  /// at most, and a power of two that the factors are multiples of. Tensors
  /// over the loops of the results that the factor has, and their map.
  struct FactorTerms {
    mlir::Value counts, units;
    mlir::AffineMap map;
  };
  FactorTerms writeFactorTerms(mlir::OpOperand *factor);
  /// `product`, its factors multiplied in any order.
  Bounded inAnyOrder(mlir::Operation *combiner, Bounded product);
  /// How many terms each result is of.
  double numTerms();
  /// The error of the sums, elementwise from the five accumulators.
  Bounded finishSum(mlir::Operation *combiner, mlir::ValueRange sums,
                    double terms);
  /// Writes the op with errors of the results that `carry` flags. Flags those
  /// that turn out to have one without, and then writes nothing.
  std::optional<llvm::SmallVector<Bounded>>
  writeBody(llvm::SmallVectorImpl<bool> &carry);

  /// Operands and maps of the written op: values, then errors.
  struct Inputs {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::AffineMap> maps;
  };
  Inputs collectInputs();
  /// What the block arguments for `collectInputs` stand for, and what comes
  /// from outside.
  BoundedValues mapInputs(mlir::ValueRange arguments);
  /// The ops of the body without `combiner`, at the end of a block.
  void copyBody(ErrorRules &rules, mlir::Operation *combiner,
                BoundedValues &scalars);
  Bounded extract(ErrorRules &rules, mlir::Operation *op,
                  llvm::ArrayRef<Bounded> operands);

  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  const BoundedValues &known;
  /// The terms of the sum are products of exact numbers, rounded but without an
  /// error of their own.
  bool addsProducts = false;
};

/// A tensor of zeros of the shape of `like`, of f64.
mlir::Value zerosLike(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value like);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H
