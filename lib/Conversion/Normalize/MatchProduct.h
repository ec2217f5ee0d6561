//===- MatchProduct.h - bodies that multiply and add ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H

#include "mlir/IR/Block.h"

namespace pruner {

/// True if the body of a linalg op with two inputs yields acc + a * b, on
/// floats or integers, where the factors may be extended as in named products.
bool isMultiplyAdd(mlir::Block *body);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_MATCHPRODUCT_H
