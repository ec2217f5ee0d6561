//===- PrefixSlice.h - slices that move no data -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_PREFIXSLICE_H
#define PRUNER_DIALECT_PRUNER_UTILS_PREFIXSLICE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {

/// True if `slice` begins where its tensor begins and is contiguous in
/// row-major order, so a pointer to the tensor is a pointer to the slice. False
/// for dynamic shapes, offsets and sizes.
bool isPrefixSlice(mlir::tensor::ExtractSliceOp slice);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_PREFIXSLICE_H
