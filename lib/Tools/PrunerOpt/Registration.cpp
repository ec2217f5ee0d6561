//===- Registration.cpp - dialects and passes of the tools ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tools/PrunerOpt/Registration.h"

#include "pruner/Conversion/ExpandMath/Passes.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Conversion/PrunerToGPU/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Emulator/Passes.h"
#include "pruner/NetworkLatency/Passes.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/TransformLibrary/Passes.h"
#include "pruner/Tune/Passes.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

void pruner::registerOwnDialect(mlir::DialectRegistry &registry) {
  registry.insert<PrunerDialect>();
  // The extensions take effect when their dialects are loaded.
  mlir::registerAllExtensions(registry);
}

void pruner::registerDialects(mlir::DialectRegistry &registry) {
  registerOwnDialect(registry);
  mlir::registerAllDialects(registry);
}

void pruner::registerOwnPasses() {
  registerNormalizePipeline();
  registerPipelines();
  registerPrunerEmulatorPasses();
  registerPrunerExpandMathPasses();
  registerPrunerExtractTasksPasses();
  registerPrunerSpecializeShapesPasses();
  registerPrunerNormalizePasses();
  registerPrunerKernelToLLVMPasses();
  registerPrunerNetworkToLLVMPasses();
  registerPrunerToGPUPasses();
  registerPrunerTransformsPasses();
  registerPrunerToCPUPasses();
  registerPrunerTransformLibraryPasses();
  registerPrunerTunePasses();
  registerPrunerDraftPasses();
  registerPrunerNetworkLatencyPasses();
}

void pruner::registerPasses() {
  registerOwnPasses();
  mlir::registerAllPasses();
}
