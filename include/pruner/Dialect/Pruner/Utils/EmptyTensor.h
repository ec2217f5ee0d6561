//===- EmptyTensor.h - tensors without elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_EMPTYTENSOR_H
#define PRUNER_DIALECT_PRUNER_UTILS_EMPTYTENSOR_H

#include "mlir/IR/BuiltinTypes.h"

namespace pruner {

/// True if `type` is a tensor that statically has no elements.
inline bool isEmptyTensor(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         llvm::is_contained(tensor.getShape(), 0);
}

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_EMPTYTENSOR_H
