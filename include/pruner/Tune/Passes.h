//===- Passes.h - passes that tune and apply schedules ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TUNE_PASSES_H
#define PRUNER_TUNE_PASSES_H

#include "pruner/Conversion/ExtractTasks/JoinProducts.h"
#include "pruner/Conversion/Normalize/Accuracy.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/Tune/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_TUNE_PASSES_H
