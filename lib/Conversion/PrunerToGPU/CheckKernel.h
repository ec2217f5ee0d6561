//===- CheckKernel.h - checks of a GPU kernel -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_CHECKKERNEL_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_CHECKKERNEL_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// Blocks of the grid and threads of a block; both one-dimensional.
struct LaunchShape {
  int64_t blocks = 1;
  int64_t threads = 1;
};

/// True if `buffer` is an argument of the kernel's function, possibly in
/// another layout.
bool isInArgument(mlir::Value buffer);

/// Checks what lowering requires beyond the rules of the dialect, and returns
/// the shape of the launch. Emits an error otherwise. Does not change the
/// kernel.
mlir::FailureOr<LaunchShape> checkKernel(KernelOp kernel);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_CHECKKERNEL_H
