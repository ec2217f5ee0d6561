//===- GpuCandidate.h - candidates for NVIDIA GPUs --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MEASURE_GPUCANDIDATE_H
#define PRUNER_LIB_MEASURE_GPUCANDIDATE_H

#include "pruner/Measure/Candidate.h"

namespace pruner {

/// The kernel of a module in the gpu dialect.
struct GpuKernel {
  std::string function;
  llvm::json::Object launch; ///< `grid` and `block`, three numbers each.
};

/// Finds it, before the gpu dialect is lowered.
llvm::Expected<GpuKernel> findGpuKernel(mlir::ModuleOp module);

/// PTX of the only `gpu.module` (in the NVVM dialect) of `module`; if wanted,
/// assembled where a ptxas that knows `chip` is found: then the artifact is the
/// cubin and the facts tell registers, spills and shared memory.
llvm::Expected<BuiltCandidate> compileGpuKernel(mlir::ModuleOp module,
                                                const GpuKernel &kernel,
                                                llvm::StringRef chip,
                                                bool assemble);

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_GPUCANDIDATE_H
