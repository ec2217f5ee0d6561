//===- PrunerToGPU.cpp - tiled programs to GPU kernels --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/PrunerToGPU/Passes.h"
#include "pruner/Dialect/Pruner/Utils/RetireSchedule.h"

#include "GpuLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pruner {
#define GEN_PASS_DEF_CONVERTPRUNERTOGPUPASS
#include "pruner/Conversion/PrunerToGPU/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// The largest memrefs whose positions are computed in 32 bits. Positions
/// outside of a tensor, which tiles at its end have, may need more; their
/// addresses are not used.
static constexpr int64_t kNarrowElements = int64_t(1) << 30;

/// Whether 32 bits hold every index of the kernel: positions in its buffers,
/// and no other numbers, because no statement computes with indices.
static bool hasNarrowIndices(KernelOp kernel) {
  auto isNarrow = [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return !memref || (memref.hasStaticShape() &&
                       memref.getNumElements() <= kNarrowElements &&
                       !memref.getElementType().isIndex());
  };
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  if (!llvm::all_of(function.getArgumentTypes(), isNarrow))
    return false;
  WalkResult result = kernel.walk([](Operation *op) {
    bool computes = op->getName().getDialectNamespace() !=
                        PrunerDialect::getDialectNamespace() &&
                    llvm::any_of(op->getResultTypes(), [](Type type) {
                      return getElementTypeOrSelf(type).isIndex();
                    });
    return computes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

namespace {
struct ConvertPrunerToGPU
    : public pruner::impl::ConvertPrunerToGPUPassBase<ConvertPrunerToGPU> {
  using ConvertPrunerToGPUPassBase::ConvertPrunerToGPUPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kernels;
    module.walk([&](KernelOp kernel) {
      if (kernel.isGpu())
        kernels.push_back(kernel);
    });
    if (kernels.empty())
      return;
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(&getContext()));
    SymbolTable symbols(module);
    ModuleOfFunction modules;
    for (KernelOp kernel : kernels)
      if (failed(convert(kernel, symbols, modules)))
        return signalPassFailure();
  }

  using ModuleOfFunction = llvm::DenseMap<Operation *, gpu::GPUModuleOp>;

  LogicalResult convert(KernelOp kernel, SymbolTable &symbols,
                        ModuleOfFunction &modules) {
    FailureOr<LaunchShape> shape = checkKernel(kernel);
    if (failed(shape))
      return failure();
    auto function = kernel->getParentOfType<FunctionOpInterface>();
    gpu::GPUFuncOp target = createKernel(kernel, function, symbols, modules);
    GpuLowering lowering(kernel, target, *shape);
    if (failed(lowering.run()))
      return failure();
    describe(target, *shape, lowering);
    if (hasNarrowIndices(kernel))
      target->setAttr(PrunerDialect::getNarrowIndicesAttrName(),
                      UnitAttr::get(&getContext()));
    launch(kernel, function, target, *shape, lowering.dynamicSharedBytes);
    retireSchedule(kernel);
    kernel.erase();
    ++numKernels;
    numBarriers += lowering.numBarriers;
    numVectorCopies += lowering.getNumVectorCopies();
    return success();
  }

  /// Creates an empty kernel after the function. All kernels of a function are
  /// in one module.
  gpu::GPUFuncOp createKernel(KernelOp kernel, FunctionOpInterface function,
                              SymbolTable &symbols, ModuleOfFunction &modules) {
    OpBuilder builder(&getContext());
    Location loc = kernel.getLoc();
    StringRef name = function.getName();
    gpu::GPUModuleOp &gpuModule = modules[function];
    if (!gpuModule) {
      gpuModule =
          gpu::GPUModuleOp::create(builder, loc, (name + "_module").str());
      symbols.insert(gpuModule, std::next(function->getIterator()));
    }
    auto number = llvm::range_size(gpuModule.getOps<gpu::GPUFuncOp>());
    std::string kernelName = name.str();
    if (number > 0)
      kernelName += "_" + std::to_string(number + 1);
    SmallVector<Type> inputs;
    for (Type type : function.getArgumentTypes())
      if (isa<MemRefType>(type))
        inputs.push_back(type);
    builder.setInsertionPointToEnd(gpuModule.getBody());
    auto target = gpu::GPUFuncOp::create(builder, loc, kernelName,
                                         builder.getFunctionType(inputs, {}));
    target->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    if (Attribute task = function->getAttr(PrunerDialect::getTaskAttrName()))
      target->setAttr(PrunerDialect::getTaskAttrName(), task);
    return target;
  }

  void describe(gpu::GPUFuncOp target, LaunchShape shape,
                const GpuLowering &lowering) {
    Builder builder(&getContext());
    target.setKnownBlockSize(ArrayRef<int32_t>{int32_t(shape.threads), 1, 1});
    target.setKnownGridSize(ArrayRef<int32_t>{int32_t(shape.blocks), 1, 1});
    target->setAttr("pruner.grid",
                    builder.getDenseI64ArrayAttr({shape.blocks, 1, 1}));
    target->setAttr("pruner.block",
                    builder.getDenseI64ArrayAttr({shape.threads, 1, 1}));
    target->setAttr("pruner.shared_bytes",
                    builder.getI64IntegerAttr(lowering.sharedBytes));
    if (lowering.dynamicSharedBytes)
      target->setAttr("pruner.dynamic_shared_bytes",
                      builder.getI64IntegerAttr(lowering.dynamicSharedBytes));
  }

  void launch(KernelOp kernel, FunctionOpInterface function,
              gpu::GPUFuncOp target, LaunchShape shape, int64_t dynamicBytes) {
    OpBuilder builder(kernel);
    Location loc = kernel.getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    SmallVector<Value> operands;
    for (BlockArgument argument : function.getArguments())
      if (isa<MemRefType>(argument.getType()))
        operands.push_back(argument);
    Value one = index(1), dynamicSize;
    if (dynamicBytes)
      dynamicSize = arith::ConstantIntOp::create(builder, loc, dynamicBytes,
                                                 /*width=*/32);
    gpu::LaunchFuncOp::create(
        builder, loc, target, gpu::KernelDim3{index(shape.blocks), one, one},
        gpu::KernelDim3{index(shape.threads), one, one}, dynamicSize, operands);
  }
};
} // namespace
