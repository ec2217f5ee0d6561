//===- NetworkToLLVM.cpp - whole networks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Pipelines/Pipelines.h"

#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace pruner;

/// Lowers functions of linalg on tensors to functions of single operations on
/// buffers in one workspace, the last argument of the network's function.
static void addBuffers(OpPassManager &pm, llvm::StringRef entry,
                       bool device = false) {
  pm.nest<func::FuncOp>().addPass(createLiftBranchesPass());
  PrepareNetworkPassOptions prepare;
  prepare.entry = entry.str();
  prepare.device = device;
  pm.addPass(createPrepareNetworkPass(prepare));
  pm.addPass(createRenameReservedPass());
  pm.addPass(createSymbolDCEPass());

  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(createExpandResourcesPass());
  tensors.addPass(createDecomposeAggregatesPass());
  if (device)
    tensors.addPass(createSinkElementsPass());
  tensors.addPass(createCropNegativePadsPass());
  tensors.addPass(createDropEmptyTensorsPass());
  tensors.addPass(createFlattenEmptyArgumentsPass());
  tensors.addPass(createNormalizeStridesPass());
  tensors.addPass(createOrderLoopsPass());
  tensors.addPass(createSeparateInitsPass());
  tensors.addPass(createKeepPartialInitsPass());
  tensors.addPass(createYieldInPlacePass());
  tensors.addPass(createKeepArgumentsPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.nest<func::FuncOp>().addPass(createReturnAllocationsPass());
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addPass(createOutlineOperationsPass());
  // While each buffer is still a separate allocation.
  pm.addPass(createAnnotateCalleesPass());
  PlanMemoryPassOptions memory;
  memory.argument = true;
  memory.freed = device;
  pm.nest<func::FuncOp>().addPass(createPlanMemoryPass(memory));
}

/// The same, with loops.
static void addLoops(OpPassManager &pm, llvm::StringRef entry,
                     bool parallel = false) {
  addBuffers(pm, entry);
  if (parallel)
    pm.addPass(createParallelizeOperationsPass());
  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
}

/// No type of LLVM is tf32. Operations outside of kernels may have it, too.
static void addTensorFloats(OpPassManager &pm) {
  RoundThroughF32PassOptions rounding;
  rounding.onlyIntegers = true;
  pm.addPass(createRoundThroughF32Pass(rounding));
}

void pruner::buildNetworkToLLVMPipeline(OpPassManager &pm,
                                        const NetworkToLLVMOptions &options) {
  pm.addPass(createChooseAlternativesPass());
  addTensorFloats(pm);
  CheckLowerablePassOptions check;
  check.entry = options.entry;
  pm.addPass(createCheckLowerablePass(check));
  addLoops(pm, options.entry, options.parallel);
  pm.addPass(createLowerChecksPass());
  ToLLVMOptions kernels;
  kernels.parallel = options.parallel;
  buildToLLVMPipeline(pm, kernels);
  pm.addPass(createMarkCallsPass());
  pm.addPass(createAddEntryPointPass());
}

void pruner::buildNetworkToDevicePipeline(
    OpPassManager &pm, const NetworkToDeviceOptions &options) {
  pm.addPass(createChooseAlternativesPass());
  addTensorFloats(pm);
  CheckLowerablePassOptions check;
  check.entry = options.entry;
  check.launches = true;
  pm.addPass(createCheckLowerablePass(check));
  addBuffers(pm, options.entry, /*device=*/true);
  pm.addPass(createOffloadOperationsPass());
  pm.addPass(createLaunchKernelsPass());
  buildToNVVMPipeline(pm, ToNVVMOptions());
}

void pruner::buildDeviceHostPipeline(OpPassManager &pm) {
  pm.addPass(createLowerChecksPass());
  ToLLVMOptions plain;
  plain.parallel = false;
  buildToLLVMPipeline(pm, plain);
  pm.addPass(createMarkCallsPass());
  pm.addPass(createAddEntryPointPass());
}

void pruner::buildUntunedPipeline(OpPassManager &pm) {
  addLoops(pm, /*entry=*/"");
  ToLLVMOptions plain;
  plain.parallel = false;
  buildToLLVMPipeline(pm, plain);
}

void pruner::buildDynamicNetworkToLLVMPipeline(OpPassManager &pm,
                                               llvm::StringRef entry) {
  pm.addPass(createChooseAlternativesPass());
  addTensorFloats(pm);
  CheckLowerablePassOptions check;
  check.entry = entry.str();
  pm.addPass(createCheckLowerablePass(check));
  pm.nest<func::FuncOp>().addPass(createLiftBranchesPass());
  PrepareDynamicPassOptions prepare;
  prepare.entry = entry.str();
  pm.addPass(createPrepareDynamicPass(prepare));
  pm.addPass(createRenameReservedPass());
  pm.addPass(createSymbolDCEPass());
  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(createExpandResourcesPass());
  tensors.addPass(createDecomposeAggregatesPass());
  tensors.addPass(createCropNegativePadsPass());
  tensors.addPass(createNormalizeStridesPass());
  tensors.addPass(createKeepPartialInitsPass());
  tensors.addPass(createYieldInPlacePass());
  // Buffers of dynamic shape are allocated where they are needed, also in each
  // iteration of a loop that carries one.
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  // It may call a function whose arguments are of dynamic shape, which have no
  // bare pointers.
  pm.addPass(createInlinerPass());
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCSEPass());
  pm.nest<func::FuncOp>().addPass(createCopyByLoopsPass());
  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerChecksPass());
  ToLLVMOptions plain;
  plain.parallel = false;
  buildToLLVMPipeline(pm, plain);
  pm.addPass(createAddEntryPointPass());
}
