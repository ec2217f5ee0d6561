//===- MapElements.h - tensors computed element by element ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_MAPELEMENTS_H
#define PRUNER_DIALECT_PRUNER_UTILS_MAPELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace pruner {

/// Returns an element of a result, given one element of each input.
using ElementBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Creates a linalg.generic without reductions and returns its result. The
/// result has the type of `init`, whose elements are not read. `maps` has one
/// map per input, from the dimensions of the result.
mlir::Value mapElements(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value init, mlir::ValueRange inputs,
                        llvm::ArrayRef<mlir::AffineMap> maps, ElementBody body);

/// As above, with a new tensor of the static type `type` as init.
mlir::Value mapElements(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type, mlir::ValueRange inputs,
                        llvm::ArrayRef<mlir::AffineMap> maps, ElementBody body);

/// Applies `body` to each element of `input`. Its results have the type
/// `element`. The shape is static.
mlir::Value mapElements(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value input, mlir::Type element,
                        ElementBody body);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_MAPELEMENTS_H
