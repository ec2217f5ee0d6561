//===- KernelProgram.h - the launches of a GPU candidate --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_WORKER_KERNELPROGRAM_H
#define PRUNER_LIB_WORKER_KERNELPROGRAM_H

#include "pruner/Runtime/CudaKernelRunner.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <vector>

namespace pruner {

/// The fact `launch`.
struct KernelProgram {
  std::vector<CudaLaunch> launches;
  /// Bytes of arguments after those of the task.
  std::vector<size_t> workspaces;

  /// std::nullopt if `facts` do not describe a launch.
  static std::optional<KernelProgram> read(const llvm::json::Object &facts);
};

} // namespace pruner

#endif // PRUNER_LIB_WORKER_KERNELPROGRAM_H
