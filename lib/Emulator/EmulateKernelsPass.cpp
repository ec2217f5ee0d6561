//===- EmulateKernelsPass.cpp - pruner-emulate-kernels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Emulator/Passes.h"

#include "Lowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace pruner {
#define GEN_PASS_DEF_EMULATEKERNELSPASS
#include "pruner/Emulator/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

namespace {
struct EmulateKernelsPass
    : public pruner::impl::EmulateKernelsPassBase<EmulateKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    LoweringOptions options{checkRaces, checkGlobal, checkBounds, warpSize,
                            dynamicSharedBytes};
    auto launch = module.walk([](gpu::LaunchFuncOp op) {
      op.emitOpError("refers to a kernel that becomes a host function; erase "
                     "the launch first");
      return WalkResult::interrupt();
    });
    if (launch.wasInterrupted())
      return signalPassFailure();
    auto runPasses = [&](OpPassManager &passes) {
      return runPipeline(passes, module);
    };
    if (failed(prepareKernels(module, options, runPasses)))
      return signalPassFailure();
    SmallVector<gpu::GPUModuleOp> gpuModules(module.getOps<gpu::GPUModuleOp>());
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      SmallVector<gpu::GPUFuncOp> kernels(gpuModule.getOps<gpu::GPUFuncOp>());
      for (gpu::GPUFuncOp kernel : kernels) {
        if (!kernel.isKernel())
          continue;
        FailureOr<LoweredKernel> lowered = lowerKernel(kernel, options);
        if (failed(lowered))
          return signalPassFailure();
        ++numKernels;
        numSites += lowered->sites.size();
        module.push_back(lowered->module.release());
      }
      gpuModule.erase();
    }
  }
};
} // namespace
