//===- KernelTeam.h - the threads that kernels run on -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Parallel kernels are compiled like OpenMP and run on the threads that
// libraries of networks bring (Runtime/Network/Threads.c), in this process as
// there: what is measured starts and joins its threads as what is deployed.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_KERNELTEAM_H
#define PRUNER_RUNTIME_KERNELTEAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace pruner {

/// How many threads a parallel region gets from now on, of every kernel of this
/// process; 0: as many as it may use, which is where it starts.
void setKernelThreads(unsigned threads);

/// Calls `work` with the number of the thread on each of them, and waits.
void runOnKernelThreads(llvm::function_ref<void(unsigned)> work);

/// The entry points of that runtime, for code that is loaded into this process.
llvm::ArrayRef<std::pair<llvm::StringLiteral, void *>> kernelThreadSymbols();

} // namespace pruner

#endif // PRUNER_RUNTIME_KERNELTEAM_H
