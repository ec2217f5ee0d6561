//===- LowerScheduled.cpp - lower the scheduled tasks of a module ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Canonicalization.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Target/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace pruner;

/// Replaces every gpu.module by a gpu.binary of the same name with its PTX.
static LogicalResult compileKernels(ModuleOp module, llvm::StringRef chip) {
  SmallVector<gpu::GPUModuleOp> kernels(module.getOps<gpu::GPUModuleOp>());
  for (gpu::GPUModuleOp kernel : kernels) {
    PtxOptions options;
    options.chip = chip.str();
    llvm::Expected<PtxCode> ptx = emitPtx(kernel, options);
    if (!ptx)
      return kernel.emitError(llvm::toString(ptx.takeError()));
    OpBuilder builder(kernel);
    auto target = NVVM::NVVMTargetAttr::get(
        builder.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip);
    Attribute object =
        gpu::ObjectAttr::get(target, gpu::CompilationTarget::Assembly,
                             builder.getStringAttr(ptx->text));
    gpu::BinaryOp::create(builder, kernel.getLoc(), kernel.getName(),
                          /*offloadingHandler=*/Attribute(),
                          ArrayRef<Attribute>{object});
    kernel.erase();
  }
  return success();
}

LogicalResult pruner::lowerScheduled(ModuleOp module,
                                     const Environment &environment) {
  PassManager passes(module.getContext());
  // The caller verifies the result. Verifying after each pass would take half
  // of the total time.
  passes.enableVerifier(false);
  passes.addPass(createChooseAlternativesPass());
  TilePassOptions tile;
  tile.target = environment.target.str();
  passes.addPass(createTilePass(tile));
  KernelOptions options;
  options.threads = environment.threads;
  buildMappingPipeline(passes, options);
  passes.nest<func::FuncOp>().addPass(createCropNegativePadsPass());
  passes.addPass(createCanonicalizerPass({}, wrongCanonicalizations()));
  passes.addPass(createCSEPass());
  // CPU kernels stay in upstream dialects, to be lowered with the rest of the
  // module.
  if (environment.target.isGpu())
    buildCodePipeline(passes, environment.target, options);
  if (failed(passes.run(module)))
    return failure();
  return environment.target.isGpu()
             ? compileKernels(module, environment.target.chip())
             : success();
}
