//===- TuneTask.cpp - a task of the module that is tuned ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tune/TuneTask.h"
#include "pruner/Conversion/Normalize/Passes.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Canonicalization.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Target/Ptx.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Environment
//===----------------------------------------------------------------------===//

llvm::Expected<Environment> Environment::create(llvm::StringRef target,
                                                unsigned threads) {
  Environment environment;
  llvm::Expected<Machine> machine = parseTarget(target);
  if (!machine)
    return machine.takeError();
  environment.machine = std::move(*machine);
  environment.target = CodeTarget::of(environment.machine);
  if (environment.target.isGpu()) {
    environment.threads = 1;
    return environment;
  }
  int64_t cores = std::max<int64_t>(environment.machine.units, 1);
  if (threads > cores)
    return llvm::createStringError(
        "option 'threads': expected at most %lld, the cores that this process "
        "may use, but got %u",
        (long long)cores, threads);
  environment.threads = threads == 0 ? unsigned(cores) : threads;
  return environment;
}

std::string Environment::pipelineOptions() const {
  std::string options =
      target.isGpu() ? "" : "threads=" + std::to_string(threads);
  if (!builder.empty())
    options += (options.empty() ? "builder=" : " builder=") + builder;
  return options;
}

std::string Environment::toolchain() {
  return "llvm-" LLVM_VERSION_STRING " pruner-" PRUNER_VERSION;
}

RecordQuery Environment::query(const TuneTask &task) const {
  RecordQuery query;
  query.taskKey = task.key;
  query.target = target.str();
  query.machineKey = machineKey();
  query.toolchain = toolchain();
  query.generator = generatorIdentity().str();
  return query;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

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

PsaOptions pruner::psaOptions(const Environment &environment,
                              const TuneTask &task) {
  PsaOptions options;
  options.threads = environment.threads;
  options.caches = task.cacheState;
  return options;
}
