//===- Dequantized.h - products with dequantized factors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_DEQUANTIZED_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_DEQUANTIZED_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// True for a sum of products of two tensors, one of which is dequantized as
/// `pruner-inline-dequantization` describes, possibly followed by reshapes.
bool multipliesDequantized(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_DEQUANTIZED_H
