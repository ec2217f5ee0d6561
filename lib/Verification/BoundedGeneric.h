//===- BoundedGeneric.h - linalg ops with bounds ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H
#define PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H

#include "ErrorRules.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"
#include <array>

namespace pruner {

/// The bounded forms of the values of a task.
using BoundedValues = llvm::DenseMap<mlir::Value, Bounded>;

/// Writes the bounded form of one linalg.generic.
///
/// * A sum, or a difference of the accumulator and terms, has five
///   accumulators: the terms t >= 0, -t of the others, their errors e, the
///   number of terms that are not zero, and the finest power of two of which
///   all t are multiples. A following op computes the error of the sum in any
///   order from these, and the infinities and NaN that an order can give
///   because partial sums overflow. In a contraction of two exact tensors the
///   last two follow from the factors alone, which takes far fewer steps.
/// * Programs may omit products with the zeros of a `tensor.pad`. Where the
///   other factor is infinite or NaN, the sum is therefore that of the other
///   terms, and NaN is another value of it.
/// * Other values of the operands (`Bounded::others`) follow elementwise ops
///   and sums. Other reductions may give anything where an operand has some.
/// * Any other op is its body with the rules of ErrorRules. An accumulator has
///   an error; extrema and similar ops have the same bound in every order.
/// * The same holds for products as long as no partial product leaves the range
///   of the type. Accumulators of the largest and the smallest product in any
///   order detect this. Where a partial product may be zero, infinity times it
///   may be NaN.
class BoundedGeneric {
public:
  /// `known` has the operands of `op` and the values that its body uses from
  /// outside.
  BoundedGeneric(mlir::OpBuilder &builder, mlir::linalg::GenericOp op,
                 const BoundedValues &known)
      : builder(builder), op(op), known(known) {}

  /// One for each result.
  llvm::SmallVector<Bounded> write();

private:
  /// The op that combines accumulator and term, if `op` reduces floats to one
  /// result by addition, subtraction or multiplication; otherwise null.
  mlir::Operation *sumCombiner();
  mlir::Operation *productCombiner();
  mlir::Operation *combiner();
  /// The value that `combiner` combines with the accumulator.
  mlir::Value termOf(mlir::Operation *combiner);
  Bounded writeSum(mlir::Operation *combiner);
  /// The operand of a product that `combiner` adds whose tensor is padded by
  /// zero; or null.
  mlir::OpOperand *paddedFactor(mlir::Operation *combiner);
  /// `term` of a sum, whose factor `factor` is padded by zero. Programs may
  /// omit products with padding, so zero times infinity adds nothing or NaN.
  static Bounded withoutPadding(WideArithmetic &wide, Bounded term,
                                mlir::Value factor);
  /// The two inputs of a contraction: `combiner` starts from zero and adds
  /// products of an exact element of each, and neither input has all loops.
  std::optional<std::array<mlir::OpOperand *, 2>>
  exactFactors(mlir::Operation *combiner);
  Bounded writeContraction(mlir::Operation *combiner,
                           llvm::ArrayRef<mlir::OpOperand *> factors);
  /// For the terms of each result to which a factor contributes: the maximum
  /// number of terms that are not zero, and a power of two of which the factors
  /// are multiples. These are tensors over the loops of the results that the
  /// factor has, with their map.
  struct FactorTerms {
    mlir::Value counts, units;
    mlir::AffineMap map;
  };
  FactorTerms writeFactorTerms(mlir::OpOperand *factor);
  /// The largest and the smallest partial product in any order.
  std::array<mlir::Value, 2> partialProducts(mlir::Operation *combiner,
                                             mlir::Value product);
  /// `product` with factors multiplied in any order.
  Bounded inAnyOrder(mlir::Operation *combiner, Bounded product);
  /// The number of terms of each result.
  double numTerms();
  /// The accumulators of a sum.
  struct Sums {
    mlir::Value positive; ///< Terms that are not negative.
    mlir::Value negative; ///< Magnitudes of the others.
    mlir::Value errors;
    mlir::Value counts; ///< Terms that are not zero.
    mlir::Value units;  ///< The finest power of two in the terms.
    /// In f64: infinities and NaN among the terms, because finite ones may
    /// overflow here as well. Null for other types.
    mlir::Value specials = {};
    /// The union of the other values of the terms. Null if there are none.
    mlir::Value others = {};

    llvm::SmallVector<mlir::Value> all() const;
    /// `values`, in the order of `all`, with the same members as this.
    Sums with(mlir::ValueRange values) const;
  };
  /// What the accumulators start with; `wraps` for sums that may overflow in
  /// f64.
  Sums startSum(mlir::Operation *combiner, bool wraps);
  /// The sum with its error and its other values, computed elementwise.
  Bounded finishSum(mlir::Operation *combiner, const Sums &sums, double terms);
  /// Adds the error of `product` if subnormal factors are taken as zero, where
  /// instructions do that.
  void loseSubnormals(ErrorRules &rules, mlir::Operation *op,
                      llvm::ArrayRef<Bounded> factors, Bounded &product);
  /// Adds the error of a rounding to bf16 that takes subnormal numbers as zero,
  /// where instructions that multiply bf16 computed the inputs.
  void flushResult(ErrorRules &rules, mlir::Operation *op, Bounded &result);
  /// The smallest number below which sums may become zero.
  double leastNumber(const Format &format) const;
  Bounded finishElement(WideArithmetic &wide, const Sums &sums,
                        const Format &format, int exactBits, double unit,
                        double underflow);
  /// Writes the op with errors and other values for the results that `carry`
  /// flags. If another result turns out to have some, flags it and writes
  /// nothing.
  std::optional<llvm::SmallVector<Bounded>>
  writeBody(llvm::SmallVectorImpl<bool> &carry);
  /// Operands with other values may be anything from here on.
  void openOperands();

  /// Operands and maps of the written op: values, then errors, then other
  /// values.
  struct Inputs {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::AffineMap> maps;
  };
  Inputs collectInputs();
  /// The values that the block arguments of `collectInputs` represent, and the
  /// values from outside.
  BoundedValues mapInputs(mlir::ValueRange arguments);
  /// The ops of the body without `combiner`, at the end of a block.
  void copyBody(ErrorRules &rules, mlir::Operation *combiner,
                BoundedValues &scalars);
  Bounded extract(ErrorRules &rules, mlir::Operation *op,
                  llvm::ArrayRef<Bounded> operands);

  mlir::OpBuilder &builder;
  mlir::linalg::GenericOp op;
  BoundedValues known;
  /// The terms of the sum are products of exact numbers, rounded but otherwise
  /// without error.
  bool addsProducts = false;
  /// The terms are products of f16 or of bf16 in f32. Instructions that add
  /// such products take subnormal operands and results of f32 as zero.
  bool multipliesHalves = false;
};

/// An f64 tensor of zeros with the shape of `like`.
mlir::Value zerosLike(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value like);

/// An i8 tensor of empty sets of `SpecialValue`s with the shape of `like`.
mlir::Value noneLike(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value like);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BOUNDEDGENERIC_H
