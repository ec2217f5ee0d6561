//===- Passes.h - the normal form of a linalg program -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exported networks hide their tasks: a weight is transposed by an op of its
// own, a bias is first broadcast to a full tensor, a batch dimension of one
// turns every map into something that is no projected permutation. The passes
// here remove what hides a task and change nothing else. Each does one thing,
// can be run alone, and leaves what it cannot handle as it was. None makes the
// program compute anything more often than it did. None changes a result by a
// bit, with two exceptions that say so: `pruner-raise-bias-inits` reorders a
// sum, and `pruner-demote-f64`, which only runs when asked for, rounds earlier.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NORMALIZE_PASSES_H
#define PRUNER_CONVERSION_NORMALIZE_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Conversion/Normalize/Passes.h.inc"

/// Options of `--pruner-normalize`.
struct NormalizeOptions : public mlir::PassPipelineOptions<NormalizeOptions> {
  Option<bool> demoteF64{
      *this, "demote-f64",
      llvm::cl::desc("Compute in f32 what an f32 program computes in f64; "
                     "changes results by rounding"),
      llvm::cl::init(false)};
  Option<bool> raiseBiasInits{
      *this, "raise-bias-inits",
      llvm::cl::desc("Add biases behind the sums that start from them; without "
                     "it, and without demote-f64, no result changes by a bit"),
      llvm::cl::init(true)};
};

/// Appends the passes that bring a module into normal form, in the order that
/// `--pruner-normalize` runs them. `pm` is anchored on a module.
void buildNormalizePipeline(mlir::OpPassManager &pm,
                            const NormalizeOptions &options = {});

/// Registers `--pruner-normalize`.
void registerNormalizePipeline();

#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/Normalize/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_NORMALIZE_PASSES_H
