//===- LowerVectors.cpp - n-D vectors to 1-D vectors ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERLOWERVECTORS
#include "pruner/Pipelines/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct LowerVectorsPass
    : public pruner::impl::PrunerLowerVectorsBase<LowerVectorsPass> {

  /// Some of these pattern sets undo each other's canonical forms, so each
  /// group runs alone and without folding beyond dead code.
  LogicalResult apply(llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void runOnOperation() override {
    bool hasVectors =
        getOperation()
            ->walk([](Operation *op) {
              return isa_and_present<vector::VectorDialect>(op->getDialect())
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!hasVectors)
      return;
    if (failed(apply([](RewritePatternSet &patterns) {
          vector::populateVectorContractLoweringPatterns(
              patterns, vector::VectorContractLowering::OuterProduct);
          vector::populateVectorOuterProductLoweringPatterns(patterns);
          vector::populateVectorMultiReductionLoweringPatterns(
              patterns, vector::VectorMultiReductionLowering::InnerParallel);
          vector::populateVectorGatherLoweringPatterns(patterns);
          vector::populateVectorMaskLoweringPatternsForSideEffectingOps(
              patterns);
          vector::populateVectorTransferPermutationMapLoweringPatterns(
              patterns);
        })) ||
        failed(apply([](RewritePatternSet &patterns) {
          vector::populateVectorMaskMaterializationPatterns(
              patterns, /*force32BitVectorIndices=*/true);
          vector::populateVectorTransferLoweringPatterns(patterns,
                                                         /*maxTransferRank=*/1);
        })) ||
        failed(apply([](RewritePatternSet &patterns) {
          vector::populateVectorTransposeLoweringPatterns(
              patterns, vector::VectorTransposeLowering::Shuffle1D);
          vector::populateVectorBroadcastLoweringPatterns(patterns);
          vector::populateVectorMaskOpLoweringPatterns(patterns);
          vector::populateVectorShapeCastLoweringPatterns(patterns);
          vector::populateVectorBitCastLoweringPatterns(patterns);
          vector::populateVectorInterleaveLoweringPatterns(patterns);
          vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
          vector::populateVectorFromElementsUnrollPatterns(patterns);
          vector::populateVectorRankReducingFMAPattern(patterns);
          vector::populateVectorStepLoweringPatterns(patterns);
        })))
      signalPassFailure();
  }
};
} // namespace
