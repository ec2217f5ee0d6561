//===- Operands.h - types and maps of operands as plain data ----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_OPERANDS_H
#define PRUNER_RECOGNITION_OPERANDS_H

#include "pruner/Program/Task.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Types.h"

namespace pruner {

/// What a task's tensors may hold: floats of 16, 32 or 64 bits, signless
/// integers of 8 to 64 bits, and i1. Nothing for any other type.
std::optional<ElementType> toElementType(mlir::Type type);

/// Bytes of a tensor; i1 takes one each. 0 for what has no static shape. Ends
/// at `kHugeSize` (Support/Sizes.h).
int64_t bytesOf(mlir::Type type);

/// "64x?x56"; empty for a scalar.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// An affine map as linear forms; nothing if a result is not linear.
std::optional<AccessMap> toAccessMap(mlir::AffineMap map);

/// And back.
mlir::AffineMap toAffineMap(const AccessMap &map, unsigned numDims,
                            mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_RECOGNITION_OPERANDS_H
