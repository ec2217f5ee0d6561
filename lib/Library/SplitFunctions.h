//===- SplitFunctions.h - functions in modules of their own -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H
#define PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace pruner {

/// A function of a library, in a module of its own.
struct FunctionApart {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool kernel; ///< Tuned: it has `pruner.applied`.
};

/// Takes the tuned kernels (functions with `pruner.applied`) and the operations
/// (`pruner.work`) of a lowered module out of it, in the order of the module:
/// kernels are compiled as they were measured and the rest is not, and
/// libraries share objects of functions. What one part calls in another becomes
/// a hidden symbol.
std::vector<FunctionApart> splitFunctions(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H
