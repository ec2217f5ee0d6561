//===- DeviceMath.h - functions that GPU kernels compute --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_DEVICEMATH_H
#define PRUNER_DIALECT_PRUNER_UTILS_DEVICEMATH_H

#include "mlir/IR/Operation.h"
#include <string>

namespace pruner {

/// Whether `op`, a mathematical function or a remainder of floats, is lowered
/// to instructions of a GPU as it is. True of all other ops.
bool hasDeviceInstruction(mlir::Operation *op);

/// Why LLVM has no code for the types of `op` on a GPU, where it cannot call
/// functions of the compiler's runtime: floats above 64 bits, conversions
/// between floats and integers above 64 bits, and threads of the host. Empty if
/// it has.
std::string whyNoDeviceCode(mlir::Operation *op);

/// Why the passes of `pruner-to-nvvm` do not lower `op` as it is in the body of
/// a task, in the words of a diagnostic; empty if they do. They write functions
/// of f32 and narrower floats as arithmetic (`pruner-expand-math`), others have
/// an instruction or nothing: there is no device library to call.
std::string whyNotOnDevice(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_DEVICEMATH_H
