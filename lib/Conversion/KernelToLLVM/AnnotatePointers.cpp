//===- AnnotatePointers.cpp - promises about kernel arguments -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace pruner {
#define GEN_PASS_DEF_ANNOTATEPOINTERSPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct AnnotatePointersPass
    : public pruner::impl::AnnotatePointersPassBase<AnnotatePointersPass> {
  using AnnotatePointersPassBase::AnnotatePointersPassBase;

  void annotate(FunctionOpInterface function) {
    Builder builder(&getContext());
    for (unsigned n = 0, e = function.getNumArguments(); n != e; ++n) {
      if (!isa<MemRefType>(function.getArgument(n).getType()))
        continue;
      ++numAnnotated;
      if (noalias)
        function.setArgAttr(n, LLVM::LLVMDialect::getNoAliasAttrName(),
                            builder.getUnitAttr());
      function.setArgAttr(n, LLVM::LLVMDialect::getNonNullAttrName(),
                          builder.getUnitAttr());
      if (alignment &&
          !function.getArgAttr(n, LLVM::LLVMDialect::getAlignAttrName()))
        function.setArgAttr(n, LLVM::LLVMDialect::getAlignAttrName(),
                            builder.getI64IntegerAttr(alignment));
    }
  }

  void alignWorkgroupBuffers(gpu::GPUFuncOp kernel) {
    Builder builder(&getContext());
    StringAttr name =
        builder.getStringAttr(LLVM::LLVMDialect::getAlignAttrName());
    for (unsigned n = 0, e = kernel.getNumWorkgroupAttributions(); n != e; ++n)
      if (!kernel.getWorkgroupAttributionAttr(n, name))
        kernel.setWorkgroupAttributionAttr(
            n, name, builder.getI64IntegerAttr(sharedAlignment));
  }

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      if (auto kernel = dyn_cast<gpu::GPUFuncOp>(function.getOperation())) {
        if (kernel.isKernel()) {
          // Buffers of an operation of a network may be one; facts that hold
          // about them is annotated.
          if (!kernel->hasAttr(pruner::PrunerDialect::getWorkAttrName()))
            annotate(function);
          alignWorkgroupBuffers(kernel);
        }
      } else if (function.isPublic() &&
                 isa<func::FuncOp>(function.getOperation())) {
        annotate(function);
      }
    });
  }
};
} // namespace
