//===- EmitKernel.h - emit a tiled program as IR ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITKERNEL_H
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITKERNEL_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Program/TiledProgram.h"
#include "pruner/Recognition/TaskFromIR.h"

namespace pruner {

/// Emits `program`, which `buildTiledProgram` made of `task`, as a function
/// `name` on memrefs at the builder's insertion point. The arguments are in the
/// order of `TensorDesc::argument`.
mlir::func::FuncOp emitKernel(mlir::OpBuilder &builder, llvm::StringRef name,
                              const TaskIR &task, const TiledProgram &program);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_EMITKERNEL_H
