//===- Pipelines.cpp - the named pipelines --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Pipelines/Pipelines.h"

#include "pruner/Conversion/ExpandMath/Passes.h"
#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Conversion/PrunerToGPU/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/SCFToOpenMP/SCFToOpenMP.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace pruner;
using namespace mlir;

void pruner::addCpuArithmetic(OpPassManager &pm) {
  pm.addPass(createRoundThroughF32Pass());
  // No default target CPU adds in bf16, and older C runtimes lack the helper by
  // which LLVM rounds.
  pm.addPass(createComputeInF32Pass());
}

void pruner::buildToLLVMPipeline(OpPassManager &pm,
                                 const ToLLVMOptions &options) {
  AnnotatePointersPassOptions pointers;
  pointers.noalias = options.noalias;
  pointers.alignment = options.alignment;
  pm.addPass(createAnnotatePointersPass(pointers));
  if (options.parallel)
    pm.addPass(createConvertSCFToOpenMPPass());
  else
    pm.addPass(createParallelForToNestedForsPass());
  // The canonicalizer below inlines the scopes that this pass empties. A scope
  // must not contain the blocks that loops become.
  pm.addPass(createHoistAllocasPass());
  pm.addPass(createInvertDivisorsPass());
  pm.addPass(createLowerVectorsPass());
  addCpuArithmetic(pm);
  pm.addPass(createExpandMathPass());
  pm.addPass(createCallMathLibraryPass());
  pm.addPass(createExpandViewsPass());
  pm.addPass(createLowerAffinePass());
  // A single round suffices: lowering emits folded code, and LLVM does the
  // rest.
  GreedyRewriteConfig once;
  once.setMaxIterations(1);
  once.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(once));
  pm.addPass(createSCFToControlFlowPass());
  ConvertToLLVMPassOptions llvm;
  llvm.reassociate = options.reassociate;
  llvm.noSignedZeros = options.noSignedZeros;
  pm.addPass(createConvertToLLVMPass(llvm));
  // Casts of signed types, which are LLVM types at this point.
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void pruner::buildToNVVMPipeline(OpPassManager &pm,
                                 const ToNVVMOptions &options) {
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();
  AnnotatePointersPassOptions pointers;
  pointers.noalias = options.noalias;
  pointers.alignment = options.alignment;
  gpu.addPass(createAnnotatePointersPass(pointers));
  // The device rounds all other conversions to f16 and bf16 once.
  RoundThroughF32PassOptions rounding;
  rounding.onlyIntegers = true;
  gpu.addPass(createRoundThroughF32Pass(rounding));
  gpu.addPass(createExpandMathPass());
  gpu.addPass(createLowerVectorsPass());
  gpu.addPass(createExpandViewsPass());
  gpu.addPass(createLowerAffinePass());
  gpu.addPass(createCheckDeviceMathPass());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  gpu.addPass(createSCFToControlFlowPass());
  ConvertToNVVMPassOptions nvvm;
  nvvm.indexBitwidth = options.indexBitwidth;
  nvvm.minBlocksPerSM = options.minBlocksPerSM;
  gpu.addPass(createConvertToNVVMPass(nvvm));
  gpu.addPass(createReconcileUnrealizedCastsPass());
}

void pruner::buildMappingPipeline(OpPassManager &pm,
                                  const KernelOptions &options) {
  ConvertPrunerToCPUPassOptions convert;
  convert.threads = options.threads;
  pm.addPass(createConvertPrunerToCPUPass(convert));
  pm.addPass(createConvertPrunerToGPUPass());
}

void pruner::buildCodePipeline(OpPassManager &pm, const CodeTarget &target,
                               const KernelOptions &options) {
  if (target.isGpu())
    return buildToNVVMPipeline(pm, ToNVVMOptions());
  ToLLVMOptions toLLVM;
  toLLVM.parallel = options.threads > 1;
  toLLVM.alignment = options.alignment;
  buildToLLVMPipeline(pm, toLLVM);
}

void pruner::registerPipelines() {
  PassPipelineRegistration<ToLLVMOptions>(
      "pruner-to-llvm", "Lower phase-4 CPU kernels to the LLVM dialect",
      buildToLLVMPipeline);
  PassPipelineRegistration<ToNVVMOptions>(
      "pruner-to-nvvm", "Lower phase-4 GPU kernels to the NVVM dialect",
      buildToNVVMPipeline);
  PassPipelineRegistration<NetworkToLLVMOptions>(
      "pruner-network-to-llvm",
      "Lower a whole network, tuned or not, to the LLVM dialect",
      buildNetworkToLLVMPipeline);
  PassPipelineRegistration<NetworkToDeviceOptions>(
      "pruner-network-to-device",
      "Lower a network for a GPU to kernels and calls that launch them",
      buildNetworkToDevicePipeline);
  PassPipelineRegistration<>(
      "pruner-linalg-to-loops",
      "Lower linalg on tensors to the LLVM dialect as plain loops",
      buildLinalgToLoopsPipeline);
}
