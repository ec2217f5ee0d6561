//===- LowerVectors.cpp - n-D vectors to 1-D vectors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_LOWERVECTORSPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// True if `op` only uses one-dimensional vectors, as LLVM does, and none of
/// the patterns below applies to it.
static bool isLowered(Operation *op) {
  if (!isa<vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
           vector::MaskedStoreOp, vector::ExtractOp, vector::InsertOp,
           vector::ShuffleOp, vector::ReductionOp, vector::FMAOp,
           vector::FromElementsOp, vector::BroadcastOp>(op))
    return false;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op);
      broadcast && isa<VectorType>(broadcast.getSourceType()))
    return false;
  auto isFlat = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || (vector.getRank() == 1 && !vector.isScalable());
  };
  return llvm::all_of(op->getOperandTypes(), isFlat) &&
         llvm::all_of(op->getResultTypes(), isFlat);
}

namespace {
/// The groups of patterns that have work. Generated kernels have few of these
/// ops, and each greedy rewrite visits every op of a kernel.
struct Work {
  SmallVector<Operation *> ops;
  bool transfers = false; ///< `vector.transfer_read` and `_write`.
  bool masks = false;     ///< One-dimensional `vector.create_mask`.
  bool shapes = false;    ///< All other ops that are not lowered yet.

  explicit Work(Operation *root) {
    root->walk([&](Operation *op) {
      if (!isa_and_present<vector::VectorDialect>(op->getDialect()) ||
          isLowered(op))
        return;
      ops.push_back(op);
      auto mask = dyn_cast<vector::CreateMaskOp>(op);
      if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op))
        transfers = true;
      else if (mask && mask.getType().getRank() == 1)
        masks = true;
      else
        shapes = true;
    });
  }
};

struct LowerVectorsPass
    : public pruner::impl::LowerVectorsPassBase<LowerVectorsPass> {

  LogicalResult apply(ArrayRef<Operation *> ops,
                      llvm::function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    return applyOpPatternsGreedily(ops, std::move(patterns), config);
  }

  /// Transfers of several dimensions become transfers of their rows.
  LogicalResult unrollTransfers() {
    Work work(getOperation());
    if (!work.transfers)
      return success();
    if (failed(apply(work.ops, [](RewritePatternSet &patterns) {
          vector::populateVectorTransferPermutationMapLoweringPatterns(
              patterns);
        })))
      return failure();
    return apply(Work(getOperation()).ops, [](RewritePatternSet &patterns) {
      populateVectorToSCFConversionPatterns(
          patterns, VectorTransferToSCFOptions().enableFullUnroll());
    });
  }

  LogicalResult lowerProducts() {
    Work work(getOperation());
    if (!work.transfers && !work.shapes)
      return success();
    return apply(work.ops, [](RewritePatternSet &patterns) {
      vector::populateVectorContractLoweringPatterns(
          patterns, vector::VectorContractLowering::OuterProduct);
      vector::populateVectorOuterProductLoweringPatterns(patterns);
      vector::populateVectorMultiReductionLoweringPatterns(
          patterns, vector::VectorMultiReductionLowering::InnerParallel);
      vector::populateVectorGatherLoweringPatterns(patterns);
      vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
      vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    });
  }

  LogicalResult lowerTransfers() {
    Work work(getOperation());
    if (!work.transfers && !work.masks)
      return success();
    return apply(work.ops, [](RewritePatternSet &patterns) {
      vector::populateVectorMaskMaterializationPatterns(
          patterns, /*force32BitVectorIndices=*/true);
      vector::populateVectorTransferLoweringPatterns(patterns,
                                                     /*maxTransferRank=*/1);
    });
  }

  LogicalResult lowerShapes() {
    Work work(getOperation());
    if (!work.shapes)
      return success();
    return apply(work.ops, [](RewritePatternSet &patterns) {
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
    });
  }

  /// Each group of patterns runs alone, because some undo each other's
  /// canonical forms.
  void runOnOperation() override {
    if (failed(unrollTransfers()) || failed(lowerProducts()) ||
        failed(lowerTransfers()) || failed(lowerShapes()))
      signalPassFailure();
  }
};
} // namespace
