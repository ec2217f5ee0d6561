//===- ElementTypes.h - element types of tasks and of IR --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_ELEMENTTYPES_H
#define PRUNER_DIALECT_PRUNER_IR_ELEMENTTYPES_H

#include "pruner/Program/Task.h"

#include "mlir/IR/Types.h"

namespace pruner {

/// The element types that a task supports: floats of 16, 32 or 64 bits,
/// signless integers of 8 to 64 bits, and i1. None for any other type.
std::optional<ElementType> toElementType(mlir::Type type);

/// The inverse of `toElementType`.
mlir::Type fromElementType(ElementType type, mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_ELEMENTTYPES_H
