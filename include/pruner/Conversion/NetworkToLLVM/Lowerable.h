//===- Lowerable.h - what can become a library ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H
#define PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H

#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// Whether the passes of `pruner-network-to-llvm` lower every op and type of
/// the functions that `entry` reaches, or all public functions if `entry` is
/// empty. An error stands at the first op of each kind that they do not lower.
/// Takes a network at any phase, with kernels as buffers or without. The shapes
/// of the entry's arguments are `pruner-prepare-network`'s to check. Functions
/// without a body are for a linker to find where the module is not `whole`.
mlir::LogicalResult checkLowerable(mlir::ModuleOp module,
                                   llvm::StringRef entry = {},
                                   bool whole = true);

/// Why `op`, by its name and its own attributes, is not lowered, in the words
/// of a diagnostic; empty if it is. Operands and results are for
/// `whyNotLowered(Type)`.
std::string whyNotLowered(mlir::Operation *op);

/// The same for the type of a value.
std::string whyNotLowered(mlir::Type type);

} // namespace pruner

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H
