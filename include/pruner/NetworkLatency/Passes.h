//===- Passes.h - the prediction of networks --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_NETWORKLATENCY_PASSES_H
#define PRUNER_NETWORKLATENCY_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/NetworkLatency/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_NETWORKLATENCY_PASSES_H
