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
  pm.addPass(createPrunerRoundThroughF32());
  // No default target CPU adds in bf16, and older C runtimes lack the helper by
  // which LLVM rounds.
  pm.addPass(createPrunerComputeInF32());
}

void pruner::buildToLLVMPipeline(OpPassManager &pm,
                                 const ToLLVMOptions &options) {
  PrunerAnnotatePointersOptions pointers;
  pointers.noalias = options.noalias;
  pointers.alignment = options.alignment;
  pm.addPass(createPrunerAnnotatePointers(pointers));
  if (options.parallel)
    pm.addPass(createConvertSCFToOpenMPPass());
  else
    pm.addPass(createParallelForToNestedForsPass());
  // The canonicalizer below inlines the scopes that this pass empties. A scope
  // must not contain the blocks that loops become.
  pm.addPass(createPrunerHoistAllocas());
  pm.addPass(createPrunerInvertDivisors());
  pm.addPass(createPrunerLowerVectors());
  addCpuArithmetic(pm);
  pm.addPass(createPrunerExpandMath());
  pm.addPass(createPrunerCallMathLibrary());
  pm.addPass(createPrunerExpandViews());
  pm.addPass(createLowerAffinePass());
  // A single round suffices: lowering emits folded code, and LLVM does the
  // rest.
  GreedyRewriteConfig once;
  once.setMaxIterations(1);
  once.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(once));
  pm.addPass(createSCFToControlFlowPass());
  PrunerConvertToLLVMOptions llvm;
  llvm.reassociate = options.reassociate;
  llvm.noSignedZeros = options.noSignedZeros;
  pm.addPass(createPrunerConvertToLLVM(llvm));
  // Casts of signed types, which are LLVM types at this point.
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void pruner::buildToNVVMPipeline(OpPassManager &pm,
                                 const ToNVVMOptions &options) {
  OpPassManager &gpu = pm.nest<gpu::GPUModuleOp>();
  PrunerAnnotatePointersOptions pointers;
  pointers.noalias = options.noalias;
  pointers.alignment = options.alignment;
  gpu.addPass(createPrunerAnnotatePointers(pointers));
  gpu.addPass(createConvertNVGPUToNVVMPass());
  // The device rounds all other conversions to f16 and bf16 once.
  PrunerRoundThroughF32Options rounding;
  rounding.onlyIntegers = true;
  gpu.addPass(createPrunerRoundThroughF32(rounding));
  gpu.addPass(createPrunerExpandMath());
  gpu.addPass(createPrunerLowerVectors());
  gpu.addPass(createPrunerExpandViews());
  gpu.addPass(createLowerAffinePass());
  gpu.addPass(createPrunerCheckDeviceMath());
  gpu.addPass(createCanonicalizerPass());
  gpu.addPass(createCSEPass());
  gpu.addPass(createSCFToControlFlowPass());
  PrunerConvertToNVVMOptions nvvm;
  nvvm.indexBitwidth = options.indexBitwidth;
  nvvm.minBlocksPerSM = options.minBlocksPerSM;
  gpu.addPass(createPrunerConvertToNVVM(nvvm));
  gpu.addPass(createReconcileUnrealizedCastsPass());
}

void pruner::buildMappingPipeline(OpPassManager &pm,
                                  const KernelOptions &options) {
  ConvertPrunerToCPUOptions convert;
  convert.threads = options.threads;
  pm.addPass(createConvertPrunerToCPU(convert));
  pm.addPass(createConvertPrunerToGPU());
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
  PassPipelineRegistration<>(
      "pruner-linalg-to-loops",
      "Lower linalg on tensors to the LLVM dialect as plain loops",
      buildLinalgToLoopsPipeline);
}
