//===- Passes.h - passes that choose without measuring ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DRAFT_PASSES_H
#define PRUNER_DRAFT_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/Draft/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_DRAFT_PASSES_H
