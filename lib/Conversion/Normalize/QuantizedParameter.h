//===- QuantizedParameter.h - scales and zero points ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZEDPARAMETER_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZEDPARAMETER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace pruner {

/// A number that is equal for all elements of a tensor, or depends on some of
/// its coordinates.
struct Parameter {
  /// The number, if it is known; an i64 or f32.
  mlir::TypedAttr constant;
  /// Otherwise a scalar, or a tensor whose element at `map` (of the coordinates
  /// of the quantized tensor) leads to the number by `conversions`, which have
  /// one operand.
  mlir::Value source;
  mlir::AffineMap map;
  llvm::SmallVector<mlir::Operation *, 2> conversions;

  /// The parameter that `value` is in the body of `op`, by the loops of `op`.
  static std::optional<Parameter> match(mlir::linalg::LinalgOp op,
                                        mlir::Value value);

  bool isUniform() const;
  /// The number for all coordinates as a tensor of `type` with the shape of the
  /// source. Requires that it is not constant.
  mlir::Value tensor(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type) const;
  /// The number as an integer of type `type`. Requires a uniform one.
  mlir::Value scalar(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type type) const;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_QUANTIZEDPARAMETER_H
