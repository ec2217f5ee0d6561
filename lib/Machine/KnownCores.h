//===- KnownCores.h - instructions of known CPUs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MACHINE_KNOWNCORES_H
#define PRUNER_LIB_MACHINE_KNOWNCORES_H

#include "pruner/Machine/Machine.h"

#include "llvm/ADT/StringRef.h"

namespace pruner::detail {

/// Sets the costs of matrix instructions that are not the same on all CPUs, for
/// LLVM's CPU name `arch`.
void setKnownCosts(CoreModel &core, llvm::StringRef arch);

} // namespace pruner::detail

#endif // PRUNER_LIB_MACHINE_KNOWNCORES_H
