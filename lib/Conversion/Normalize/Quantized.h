//===- Quantized.h - the integers of a dequantized tensor -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters write a quantized factor as arithmetic that follows its bytes:
//
//     real = (byte - zero point) * scale
//
// in one or more elementwise generics, often with padding, reshapes and
// transpositions after it. `matchQuantized` reads this chain backward, so
// other readers of its links do not matter. The links are not changed;
// `integers` repeats those that move elements on the bytes.

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZED_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZED_H

#include "QuantizedParameter.h"
#include "RangeOf.h"

namespace pruner {

/// One way in which elements of a tensor move.
struct Move {
  /// A pad, reshape or slice, or null for a copy.
  mlir::Operation *op;
  /// A copy: its coordinates to those of the tensor before, and its shape.
  mlir::AffineMap map;
  llvm::SmallVector<int64_t> shape;
};

/// A tensor whose elements are (integer - zero point) * scale.
struct Quantized {
  mlir::Value source; ///< A tensor of integers of 8 bits.
  bool isSigned;
  Parameter zeroPoint;
  /// None if the elements are integers.
  std::optional<Parameter> scale;
  IntegerRange range; ///< Of integer - zero point.
  IntegerRange zeroPoints{0, 0};
  llvm::SmallVector<Move> moves;

  /// The tensor of integers in the shape of the quantized one. Where the latter
  /// is padded with zeros, it has the zero point.
  mlir::Value integers(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// The integers that `tensor` is computed from. Subtractions are exact, and the
/// product by the scale is rounded once, in f32.
std::optional<Quantized> matchQuantized(mlir::Value tensor);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZED_H
