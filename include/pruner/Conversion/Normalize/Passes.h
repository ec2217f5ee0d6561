//===- Passes.h - the normal form of a linalg program -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exported networks hide their tasks: a separate op transposes a weight, a bias
// is first broadcast to a full tensor, and a batch dimension of one prevents
// projected permutations. These passes remove such patterns and change nothing
// else.
//
// Each pass does one thing, can run alone, and does not change what it cannot
// handle. No pass makes the program repeat a computation. No pass changes a
// result by a single bit, with documented exceptions: `pruner-raise-bias-inits`
// reorders a sum, `pruner-integer-products` rounds less often, and
// `pruner-demote-f64` and `pruner-relax-accuracy`, which are off by default,
// round elsewhere. What the latter rewrites depends on the targets, so it is
// not part of `--pruner-normalize`.

#ifndef PRUNER_CONVERSION_NORMALIZE_PASSES_H
#define PRUNER_CONVERSION_NORMALIZE_PASSES_H

#include "pruner/Conversion/Normalize/Accuracy.h"

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
      llvm::cl::desc(
          "Start sums from zero and add biases afterward; this reorders "
          "sums, so results may differ in rounding"),
      llvm::cl::init(true)};
  Option<bool> integerProducts{
      *this, "integer-products",
      llvm::cl::desc("Multiply bytes instead of dequantized factors, and scale "
                     "their sums; results may differ in rounding"),
      llvm::cl::init(true)};
};

/// `pruner-move-channels-last` for these machines.
std::unique_ptr<mlir::Pass>
createMoveChannelsLastPass(std::vector<Machine> machines);

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
