//===- LowerOps.h - GPU ops to calls of the runtime -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_LOWEROPS_H
#define PRUNER_LIB_EMULATOR_LOWEROPS_H

#include "Lowering.h"

namespace pruner::emulator {

/// Appends the 12 indices to the arguments of `kernel` and replaces every gpu
/// and nvgpu op. Values of token type are left to the type conversion.
mlir::LogicalResult lowerGPUOps(mlir::gpu::GPUFuncOp kernel,
                                const LoweringOptions &options,
                                std::vector<Site> &sites);

/// Declares the runtime functions for lowered kernels.
void declareRuntime(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_LOWEROPS_H
