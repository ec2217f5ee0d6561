//===- NetworkToLLVM.cpp - whole networks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
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

/// Lowers functions of linalg on tensors to loops on buffers in one workspace,
/// the last argument of the network's function.
static void addLoops(OpPassManager &pm, llvm::StringRef entry) {
  pm.nest<func::FuncOp>().addPass(createPrunerLiftBranches());
  PrunerPrepareNetworkOptions prepare;
  prepare.entry = entry.str();
  pm.addPass(createPrunerPrepareNetwork(prepare));
  pm.addPass(createPrunerRenameReserved());
  pm.addPass(createSymbolDCEPass());

  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(createPrunerExpandResources());
  tensors.addPass(createPrunerDecomposeAggregates());
  tensors.addPass(createCropNegativePads());
  tensors.addPass(createPrunerDropEmptyTensors());
  tensors.addPass(createPrunerNormalizeStrides());
  tensors.addPass(createPrunerOrderLoops());
  tensors.addPass(createPrunerSeparateInits());
  tensors.addPass(createPrunerKeepPartialInits());
  tensors.addPass(createPrunerYieldInPlace());
  tensors.addPass(createPrunerKeepArguments());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.nest<func::FuncOp>().addPass(createPrunerReturnAllocations());
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  pm.addPass(createPrunerOutlineOperations());
  // While each buffer is still a separate allocation.
  pm.addPass(createPrunerAnnotateCallees());
  PrunerPlanMemoryOptions memory;
  memory.argument = true;
  pm.nest<func::FuncOp>().addPass(createPrunerPlanMemory(memory));

  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
}

void pruner::buildNetworkToLLVMPipeline(OpPassManager &pm,
                                        const NetworkToLLVMOptions &options) {
  PrunerCheckLowerableOptions check;
  check.entry = options.entry;
  pm.addPass(createPrunerCheckLowerable(check));
  addLoops(pm, options.entry);
  pm.addPass(createPrunerLowerChecks());
  ToLLVMOptions kernels;
  kernels.parallel = options.parallel;
  buildToLLVMPipeline(pm, kernels);
  pm.addPass(createPrunerMarkCalls());
  pm.addPass(createPrunerAddEntryPoint());
}

void pruner::buildUntunedPipeline(OpPassManager &pm) {
  addLoops(pm, /*entry=*/"");
  ToLLVMOptions plain;
  plain.parallel = false;
  buildToLLVMPipeline(pm, plain);
}

void pruner::buildDynamicNetworkToLLVMPipeline(OpPassManager &pm,
                                               llvm::StringRef entry) {
  PrunerCheckLowerableOptions check;
  check.entry = entry.str();
  pm.addPass(createPrunerCheckLowerable(check));
  pm.nest<func::FuncOp>().addPass(createPrunerLiftBranches());
  PrunerPrepareDynamicOptions prepare;
  prepare.entry = entry.str();
  pm.addPass(createPrunerPrepareDynamic(prepare));
  pm.addPass(createPrunerRenameReserved());
  pm.addPass(createSymbolDCEPass());
  OpPassManager &tensors = pm.nest<func::FuncOp>();
  tensors.addPass(createPrunerExpandResources());
  tensors.addPass(createPrunerDecomposeAggregates());
  tensors.addPass(createCropNegativePads());
  tensors.addPass(createPrunerNormalizeStrides());
  tensors.addPass(createPrunerKeepPartialInits());
  pm.addPass(bufferization::createOneShotBufferizePass());
  pm.addPass(createCanonicalizerPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCSEPass());
  pm.nest<func::FuncOp>().addPass(createPrunerCopyByLoops());
  pm.nest<func::FuncOp>().addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createPrunerLowerChecks());
  ToLLVMOptions plain;
  plain.parallel = false;
  buildToLLVMPipeline(pm, plain);
  pm.addPass(createPrunerAddEntryPoint());
}
