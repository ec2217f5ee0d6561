//===- Passes.h - passes of the emulator ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_EMULATOR_PASSES_H
#define PRUNER_EMULATOR_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Emulator/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pruner/Emulator/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_EMULATOR_PASSES_H
