//===- InvokeKernel.h - call a kernel by its address ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_INVOKEKERNEL_H
#define PRUNER_TARGET_INVOKEKERNEL_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>

namespace pruner {

inline constexpr size_t maxKernelArguments = 48;

/// Calls `function`, which takes one pointer per entry of `arguments`, at most
/// maxKernelArguments.
void invokeKernel(void *function, llvm::ArrayRef<void *> arguments);

} // namespace pruner

#endif // PRUNER_TARGET_INVOKEKERNEL_H
