//===- Lowerable.h - check that a program can be lowered --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H
#define PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// Checks that the passes of `pruner-network-to-llvm` lower every op and type
/// of the functions that `entry` reaches, or of all public functions if `entry`
/// is empty. Emits an error at the first op of each kind that they do not
/// lower. Accepts a network of any phase, with or without kernels.
/// `pruner-prepare-network` checks the shapes of the entry's arguments. If the
/// module is not `whole`, a linker may define functions without a body. With
/// `launches`, functions may launch GPU kernels.
mlir::LogicalResult checkLowerable(mlir::ModuleOp module,
                                   llvm::StringRef entry = {},
                                   bool whole = true, bool launches = false);

/// Checks that `network` can be the function of a library: it has results, and
/// all arguments and results are tensors of element types that C has, of at
/// most `kMaxTensorBytes`. Their shapes must be static, unless the network is
/// `dynamic`. Emits an error at the function.
mlir::LogicalResult checkInterface(mlir::func::FuncOp network,
                                   bool dynamic = false);

/// Whether the passes of `pruner-to-nvvm` lower the bodies of `tasks`,
/// functions that become GPU kernels: no other ops are lowered for a GPU.
/// Reports the first op of each kind that they do not lower.
mlir::LogicalResult
checkLowerableOnGpu(llvm::ArrayRef<mlir::func::FuncOp> tasks);

/// Why `op`, by its name and its own attributes, is not lowered, in the words
/// of a diagnostic; empty if it is. Operands and results are for
/// `whyNotLowered(Type)`.
std::string whyNotLowered(mlir::Operation *op);

/// Why a value of this type is not lowered; empty if it is.
std::string whyNotLowered(mlir::Type type);

} // namespace pruner

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_LOWERABLE_H
