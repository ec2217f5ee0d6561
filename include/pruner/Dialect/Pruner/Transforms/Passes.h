//===- Passes.h - passes on the tiling dialect ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_H
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_H

#include "pruner/Analysis/Psa.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

/// The format of the report of `pruner-psa`.
enum class PsaFormat {
  Remarks, ///< Diagnostics at the operations.
  Json,    ///< One JSON object for the module.
};

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/Dialect/Pruner/Transforms/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_H
