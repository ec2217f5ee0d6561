//===- KernelTeam.h - the threads of parallel kernels -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parallel kernels are compiled like OpenMP code. They run on the thread
// runtime that network libraries contain (Runtime/Network/Threads.c), also in
// this process. Measured code therefore starts and joins its threads like
// deployed code.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_KERNELTEAM_H
#define PRUNER_RUNTIME_KERNELTEAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace pruner {

/// Sets the number of threads of a parallel region for every kernel of this
/// process. 0, the default, means as many as the process may use.
void setKernelThreads(unsigned threads);

/// Calls `work` on each thread with the number of the thread, and waits.
void runOnKernelThreads(llvm::function_ref<void(unsigned)> work);

/// The entry points of that runtime, for code that is loaded into this process.
llvm::ArrayRef<std::pair<llvm::StringLiteral, void *>> kernelThreadSymbols();

} // namespace pruner

#endif // PRUNER_RUNTIME_KERNELTEAM_H
