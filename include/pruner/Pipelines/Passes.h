//===- Passes.h - passes below phase 4 --------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PIPELINES_PASSES_H
#define PRUNER_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace func {
class FuncOp;
} // namespace func
namespace gpu {
class GPUModuleOp;
} // namespace gpu
} // namespace mlir

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pruner/Pipelines/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_PIPELINES_PASSES_H
