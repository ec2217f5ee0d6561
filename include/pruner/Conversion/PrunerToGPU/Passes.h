//===- Passes.h - tiled programs to GPU kernels --------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_PRUNERTOGPU_PASSES_H
#define PRUNER_CONVERSION_PRUNERTOGPU_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/PrunerToGPU/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_PRUNERTOGPU_PASSES_H
