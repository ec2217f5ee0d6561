//===- SplitFunctions.h - move functions into separate modules --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H
#define PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace pruner {

/// A function of a library in a separate module.
struct FunctionApart {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  bool kernel; ///< True for a tuned kernel, which has `pruner.applied`.
};

/// Moves the tuned kernels (functions with `pruner.applied`) and the operations
/// (`pruner.work`) of a lowered module into separate modules, in the order of
/// the module. Kernels are compiled as they were measured and the rest is not,
/// and libraries can share objects of functions. Symbols used by another part
/// become hidden symbols.
std::vector<FunctionApart> splitFunctions(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_SPLITFUNCTIONS_H
