//===- Operands.h - types and maps of operands as plain data ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_OPERANDS_H
#define PRUNER_RECOGNITION_OPERANDS_H

#include "pruner/Program/Task.h"

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Types.h"

namespace pruner {

/// Bytes of a tensor, where i1 takes one byte; 0 for a type without static
/// shape. Saturates at `kHugeSize` (Support/Sizes.h).
int64_t bytesOf(mlir::Type type);

/// "64x?x56"; empty for a scalar.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// An affine map as linear forms; none if a result is not linear.
std::optional<AccessMap> toAccessMap(mlir::AffineMap map);

/// The inverse of `toAccessMap`.
mlir::AffineMap toAffineMap(const AccessMap &map, unsigned numDims,
                            mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_RECOGNITION_OPERANDS_H
