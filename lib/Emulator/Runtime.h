//===- Runtime.h - functions that lowered kernels call ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_RUNTIME_H
#define PRUNER_LIB_EMULATOR_RUNTIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace pruner::emulator {

/// Name and address of every function that `declareRuntime` declares.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> runtimeFunctions();

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_RUNTIME_H
