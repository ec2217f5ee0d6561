//===- PrunerDialect.h - the tiling dialect ---------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// The band loop that defines an offset: its op and which of its loops.
struct BandIv {
  BandOp band;
  unsigned loop = 0;
  explicit operator bool() const { return bool(band); }
};

/// Where an `at` operand comes from; empty if it is not an induction variable.
BandIv getBandIv(mlir::Value offset);

/// What `pruner.alloc`, `pruner.stage` and `pruner.packed` (which gives no
/// name) say about their buffer.
struct BufferOrigin {
  llvm::StringRef name;
  mlir::OperandRange at;
  llvm::ArrayRef<int64_t> shape;
  mlir::AffineMap layout;
};

/// The origin of a buffer, or none for an argument as it comes.
std::optional<BufferOrigin> getBufferOrigin(mlir::Value buffer);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_H
