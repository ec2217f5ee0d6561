//===- FloatFactors.h - factors of products and their types -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_FLOATFACTORS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_FLOATFACTORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <optional>

namespace pruner {

/// A sum of products of floats in f32: the body of `op` yields acc + x y.
struct FloatProduct {
  /// The elements of the two inputs. The body multiplies them in f32, and
  /// extends those of narrower types first.
  std::array<mlir::BlockArgument, 2> factors;
};

/// Matches a reduction on tensors of static shape with two inputs that adds
/// their product to an accumulator in f32, and nothing else.
std::optional<FloatProduct> matchFloatProduct(mlir::linalg::LinalgOp op);

/// The source of a reshape, slice or pad, if its shape is static; null for
/// other ops. `op` may be null.
mlir::Value viewedBy(mlir::Operation *op);

/// The type of which `value`, a tensor of floats, only holds numbers, if it is
/// known to be narrower than its own: `value` is an extension, perhaps followed
/// by reshapes, slices and pads.
mlir::FloatType typeOfNumbers(mlir::Value value);

/// Finds or computes tensors of floats in another type.
class FactorConverter {
public:
  /// With `rounds`, numbers that the type does not hold are rounded to it, to
  /// nearest, ties to even. Without, only values for which `typeOfNumbers` is
  /// `type` may be passed.
  FactorConverter(mlir::RewriterBase &rewriter, mlir::FloatType type,
                  bool rounds)
      : rewriter(rewriter), type(type), rounds(rounds) {}

  /// `value`, of floats, with elements of the type. The conversion is before
  /// reshapes and pads, so that the producer of the value can apply it, and
  /// there is one for all readers.
  mlir::Value convert(mlir::Value value);

private:
  mlir::Value create(mlir::Value value);
  mlir::Value convertElements(mlir::Value value);

  mlir::RewriterBase &rewriter;
  mlir::FloatType type;
  bool rounds;
  llvm::DenseMap<mlir::Value, mlir::Value> known;
};

/// Makes `op` read `value`, whose elements are narrower than f32, as its input
/// number `input`, which has elements of f32. The body extends the elements.
void readFactor(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                unsigned input, mlir::Value value);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_FLOATFACTORS_H
