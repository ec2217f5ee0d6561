//===- CastElements.h - tensors in another float type -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_CASTELEMENTS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_CASTELEMENTS_H

#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {

/// A tensor with the elements of `value`, computed by the cast `Cast`.
template <typename Cast>
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, mlir::FloatType type) {
  return mapElements(builder, loc, value, type,
                     [&](mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ValueRange elements) -> mlir::Value {
                       return Cast::create(builder, loc, type, elements[0]);
                     });
}

/// The init of a sum with elements of `type`, computed by the cast `Cast`
/// before the sum. A fill stays one.
template <typename Cast>
mlir::Value castInit(mlir::IRRewriter &rewriter, mlir::linalg::LinalgOp op,
                     mlir::FloatType type) {
  mlir::Location loc = op.getLoc();
  mlir::Value init = op.getDpsInits()[0];
  rewriter.setInsertionPoint(op);
  auto fill = init.getDefiningOp<mlir::linalg::FillOp>();
  if (!fill)
    return castElements<Cast>(rewriter, loc, init, type);
  auto shape = mlir::cast<mlir::RankedTensorType>(init.getType()).getShape();
  mlir::Value scalar =
      rewriter.createOrFold<Cast>(loc, type, fill.getInputs()[0]);
  mlir::Value empty = mlir::tensor::EmptyOp::create(rewriter, loc, shape, type);
  return mlir::linalg::FillOp::create(rewriter, loc, scalar, empty)
      .getResult(0);
}

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_CASTELEMENTS_H
