//===- SplitKernels.h - kernels apart from the rest -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_LIBRARY_SPLITKERNELS_H
#define PRUNER_LIB_LIBRARY_SPLITKERNELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace pruner {

/// Moves the tuned kernels (functions with `pruner.applied`) of a lowered
/// module to another module, for they are compiled as they were measured and
/// the rest is not. What one part calls in the other becomes a hidden symbol.
/// Returns null when there are no kernels.
mlir::OwningOpRef<mlir::ModuleOp> splitKernels(mlir::ModuleOp module);

/// Functions with a body.
unsigned countFunctions(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_SPLITKERNELS_H
