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

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H
