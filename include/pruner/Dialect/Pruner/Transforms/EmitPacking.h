//===- EmitPacking.h - functions that pack constants ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H

#include "pruner/Program/TiledProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace pruner {

/// Emits two private functions at the insertion point. `name` packs the tensor
/// of `buffer` (a packed argument) into the tensor that the kernel reads; it is
/// marked `pruner.pack`. `name`_kernel does the same on memrefs, as plain
/// loops. Elements beyond the tensor are zero. Returns both; neither is in a
/// symbol table yet.
std::pair<mlir::func::FuncOp, mlir::func::FuncOp>
emitPacking(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
            mlir::RankedTensorType tensor, const BufferDesc &buffer);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H
