//===- LinalgToLoops.cpp - the path of references -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Pipelines/Pipelines.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void pruner::buildLinalgToLoopsPipeline(OpPassManager &pm) {
  pm.addPass(pruner::createUseBarePointersPass());
  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(pruner::createExpandResourcesPass());
  tensors.addPass(pruner::createDecomposeAggregatesPass());
  tensors.addPass(pruner::createCropNegativePadsPass());
  tensors.addPass(pruner::createDropEmptyTensorsPass());
  tensors.addPass(pruner::createFlattenEmptyArgumentsPass());
  tensors.addPass(pruner::createNormalizeStridesPass());
  tensors.addPass(pruner::createOrderLoopsPass());
  tensors.addPass(pruner::createKeepPartialInitsPass());
  tensors.addPass(pruner::createKeepArgumentsPass());

  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  pm.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());

  OpPassManager &loops = pm.nest<func::FuncOp>();
  loops.addPass(pruner::createCopyByLoopsPass());
  loops.addPass(createConvertLinalgToLoopsPass());
  addCpuArithmetic(loops);
  loops.addPass(pruner::createExpandViewsPass());
  loops.addPass(createLowerAffinePass());
  loops.addPass(arith::createArithExpandOpsPass());
  loops.addPass(createSCFToControlFlowPass());

  // First functions with an LLVM intrinsic; the C library has the others.
  ConvertMathToLLVMPassOptions intrinsics;
  intrinsics.approximateLog1p = false;
  loops.addPass(createConvertMathToLLVMPass(intrinsics));
  pm.addPass(createConvertMathToLibmPass());
  FinalizeMemRefToLLVMConversionPassOptions memrefs;
  memrefs.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memrefs));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}
