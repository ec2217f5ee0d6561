//===- ConvertToNVVM.cpp - GPU kernels to the NVVM dialect ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodyPatterns.h"

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_CONVERTTONVVMPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct ConvertToNVVMPass
    : public pruner::impl::ConvertToNVVMPassBase<ConvertToNVVMPass> {
  using ConvertToNVVMPassBase::ConvertToNVVMPassBase;

  /// Lowers collective and global-index ops to simpler gpu ops first.
  LogicalResult expandCollectives() {
    RewritePatternSet patterns(&getContext());
    populateGpuRewritePatterns(patterns);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(indexBitwidth);
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);

    RewritePatternSet patterns(context);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    populateGpuSubgroupReduceOpLoweringPattern(converter, patterns);
    populateGpuWMMAToNVVMConversionPatterns(converter, patterns);
    pruner::populateBodyPatterns(converter, patterns, /*reassociate=*/true);

    LLVMConversionTarget target(*context);
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addIllegalDialect<gpu::GPUDialect>();
    // Casts from the preceding nvgpu conversion are removed later.
    target.addLegalOp<gpu::GPUModuleOp, UnrealizedConversionCastOp>();
    return applyFullConversion(getOperation(), target, std::move(patterns));
  }

  /// Upstream defines dynamic shared memory as a variable without elements. As
  /// a declaration it has the bytes of the launch.
  void declareDynamicMemory() {
    for (auto global : getOperation().getOps<LLVM::GlobalOp>()) {
      auto type = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
      if (type && type.getNumElements() == 0 &&
          global.getAddrSpace() == unsigned(NVVM::NVVMMemorySpace::Shared))
        global.setLinkage(LLVM::Linkage::External);
    }
  }

  void runOnOperation() override {
    if (indexBitwidth != 32 && indexBitwidth != 64) {
      getOperation().emitOpError("index-bitwidth must be 32 or 64, not ")
          << indexBitwidth.getValue();
      return signalPassFailure();
    }
    if (failed(expandCollectives()) || failed(convert()))
      return signalPassFailure();
    declareDynamicMemory();
    if (minBlocksPerSM)
      getOperation().walk([&](LLVM::LLVMFuncOp function) {
        if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
          function->setAttr(
              NVVM::NVVMDialect::getMinctasmAttrName(),
              Builder(&getContext()).getI32IntegerAttr(minBlocksPerSM));
      });
  }
};
} // namespace
