//===- MatchProduct.h - bodies that multiply and add ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// True for an op on two tensors of static shape whose body yields acc + a * b,
/// on floats or integers, where the factors may be extended as in named
/// products.
bool addsProducts(mlir::linalg::LinalgOp op);

/// True for a generic that computes each element of one tensor on its own, from
/// elements of its inputs and not from their positions.
bool computesElements(mlir::Operation *op);

/// True if `value` is only used as a factor of one contraction, after
/// elementwise generics and reshapes that merge dimensions.
bool leadsToContraction(mlir::Value value);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H
