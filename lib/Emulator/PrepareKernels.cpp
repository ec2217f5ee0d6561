//===- PrepareKernels.cpp - upstream passes around the lowering -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

/// Applies `populate` to every kernel and changes nothing else. Regions are not
/// simplified, so that every barrier stays at its position.
static LogicalResult
apply(ModuleOp module, llvm::function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(module.getContext());
  populate(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(module, std::move(patterns), config);
}

LogicalResult emulator::prepareKernels(
    ModuleOp module, const LoweringOptions &options,
    llvm::function_ref<LogicalResult(OpPassManager &)> runPasses) {
  OpPassManager passes(ModuleOp::getOperationName());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createConvertVectorToSCFPass(
      VectorTransferToSCFOptions().enableFullUnroll()));
  if (failed(runPasses(passes)))
    return failure();

  if (failed(apply(module, [&](RewritePatternSet &patterns) {
        populateGpuGlobalIdPatterns(patterns);
        populateGpuBreakDownSubgroupReducePatterns(patterns);
        populateGpuLowerSubgroupReduceToShufflePatterns(patterns,
                                                        options.warpSize);
        populateGpuLowerClusteredSubgroupReduceToShufflePatterns(
            patterns, options.warpSize);
      })))
    return failure();
  return apply(module, [](RewritePatternSet &patterns) {
    vector::populateVectorMaskLoweringPatternsForSideEffectingOps(patterns);
    vector::populateVectorMaskMaterializationPatterns(
        patterns, /*force32BitVectorIndices=*/false);
    vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    vector::populateVectorGatherLoweringPatterns(patterns);
    vector::populateVectorGatherToConditionalLoadPatterns(patterns);
  });
}

namespace {
/// Removes the flag that permits folding from conversions.
struct KeepRoundings : PassWrapper<KeepRoundings, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KeepRoundings)

  void runOnOperation() override {
    auto none = arith::FastMathFlagsAttr::get(&getContext(),
                                              arith::FastMathFlags::none);
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        op->setAttr("fastmath", none);
    });
  }
};
} // namespace

void emulator::buildHostPipeline(OpPassManager &passes) {
  passes.addPass(memref::createExpandStridedMetadataPass());
  passes.addPass(createLowerAffinePass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertVectorToLLVMPass());
  // Each operation on bf16 rounds, as on devices. Upstream's casts may be
  // folded away, so their flags are removed.
  arith::ArithEmulateUnsupportedFloatsOptions floats;
  floats.sourceTypeStrs = {"bf16"};
  floats.targetTypeStr = "f32";
  passes.addPass(arith::createArithEmulateUnsupportedFloats(floats));
  passes.addPass(std::make_unique<KeepRoundings>());
  arith::ArithExpandOpsPassOptions expand;
  // The C library may lack the conversions of bf16.
  expand.includeBf16 = true;
  passes.addPass(arith::createArithExpandOpsPass(expand));
  ConvertMathToLLVMPassOptions intrinsics;
  intrinsics.approximateLog1p = false; // log(1 + x) is inaccurate near zero.
  passes.addPass(createConvertMathToLLVMPass(intrinsics));
  passes.addPass(createConvertMathToLibmPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertIndexToLLVMPass());
  passes.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions bare;
  bare.useBarePtrCallConv = true;
  passes.addPass(createConvertFuncToLLVMPass(bare));
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}
