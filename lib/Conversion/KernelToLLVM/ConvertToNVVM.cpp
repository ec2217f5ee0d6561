//===- ConvertToNVVM.cpp - GPU kernels to the NVVM dialect ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodyPatterns.h"

#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
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

  /// The width of the option, or the width that all kernels need.
  unsigned widthOfIndices() {
    if (indexBitwidth)
      return indexBitwidth;
    auto isNarrow = [](gpu::GPUFuncOp kernel) {
      return kernel->hasAttr(pruner::PrunerDialect::getNarrowIndicesAttrName());
    };
    return llvm::all_of(getOperation().getOps<gpu::GPUFuncOp>(), isNarrow) ? 32
                                                                           : 64;
  }

  LogicalResult convert() {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    options.overrideIndexBitwidth(widthOfIndices());
    LLVMTypeConverter converter(context, options);
    configureGpuToNVVMTypeConverter(converter);
    // Groups of asynchronous copies have no value; the instructions count them.
    converter.addConversion([&](nvgpu::DeviceAsyncTokenType) -> Type {
      return IntegerType::get(context, 32);
    });

    RewritePatternSet patterns(context);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    populateGpuSubgroupReduceOpLoweringPattern(converter, patterns);
    populateGpuWMMAToNVVMConversionPatterns(converter, patterns);
    populateNVGPUToNVVMConversionPatterns(converter, patterns);
    pruner::populateBodyPatterns(converter, patterns, /*reassociate=*/true);

    LLVMConversionTarget target(*context);
    target.addLegalDialect<NVVM::NVVMDialect>();
    target.addIllegalDialect<gpu::GPUDialect, nvgpu::NVGPUDialect>();
    // Patterns of nvgpu leave casts, which are removed later.
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
    if (!llvm::is_contained({0u, 32u, 64u}, indexBitwidth.getValue())) {
      getOperation().emitOpError("index-bitwidth must be 0, 32 or 64, not ")
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
