//===- PrunerDialect.h - the tiling dialect ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_H
#define PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_H

#include "pruner/Sketch/Schedule.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h.inc"
#include "pruner/Dialect/Pruner/IR/PrunerEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pruner/Dialect/Pruner/IR/PrunerAttrs.h.inc"

#define GET_OP_CLASSES
#include "pruner/Dialect/Pruner/IR/PrunerOps.h.inc"

namespace pruner {

/// The loop of a band that defines an offset.
struct BandIv {
  BandOp band;
  unsigned loop = 0;
  explicit operator bool() const { return bool(band); }
};

/// The loop of an `at` operand; empty if it is not an induction variable.
BandIv getBandIv(mlir::Value offset);

/// The buffer of a `pruner.alloc`, `pruner.stage` or `pruner.packed` (which has
/// no name).
struct BufferOrigin {
  llvm::StringRef name;
  mlir::OperandRange at;
  llvm::ArrayRef<int64_t> shape;
  mlir::AffineMap layout;
};

/// The origin of a buffer; none for an unpacked argument.
std::optional<BufferOrigin> getBufferOrigin(mlir::Value buffer);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_H
