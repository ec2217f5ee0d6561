//===- GpuCandidate.h - candidates for NVIDIA GPUs --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_BUILDER_GPUCANDIDATE_H
#define PRUNER_LIB_BUILDER_GPUCANDIDATE_H

#include "pruner/Builder/Candidate.h"

namespace pruner {

/// The first kernel of a module in the gpu dialect.
struct GpuKernel {
  std::string function;
  /// `grid` and `block`, three numbers each. If other kernels run after it:
  /// `then`, a list of the same with `kernel`, their name. If they have
  /// arguments after those of the task: `workspaces`, their bytes.
  llvm::json::Object launch;
};

/// Finds the kernels before the gpu dialect is lowered: the first one and, in
/// its `launch`, the others. The task has `taskArguments` arguments, including
/// results.
llvm::Expected<GpuKernel> findGpuKernels(mlir::ModuleOp module,
                                         size_t taskArguments);

/// The PTX of the only `gpu.module` (in the NVVM dialect) of `module`. If
/// requested, it is assembled by a ptxas that supports `chip`, if one is found.
/// The artifact is then the cubin, and the facts include registers, spills and
/// shared memory.
llvm::Expected<BuiltCandidate> compileGpuKernel(mlir::ModuleOp module,
                                                const GpuKernel &kernel,
                                                llvm::StringRef chip,
                                                bool assemble);

} // namespace pruner

#endif // PRUNER_LIB_BUILDER_GPUCANDIDATE_H
