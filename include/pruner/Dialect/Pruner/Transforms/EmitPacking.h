//===- EmitPacking.h - functions that pack constants ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H

#include "pruner/Program/TiledProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace pruner {

/// Writes two private functions at the insertion point:
/// `name`, from the tensor of `buffer` (a packed argument) to the tensor that
/// the kernel reads, marked `pruner.pack`; and `name`_kernel, the same from
/// memref to memref, as plain loops. What lies beyond the tensor is zero.
/// Returns both; neither is in a symbol table yet.
std::pair<mlir::func::FuncOp, mlir::func::FuncOp>
emitPacking(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
            mlir::RankedTensorType tensor, const BufferDesc &buffer);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITPACKING_H
