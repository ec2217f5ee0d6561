//===- ConvertToLLVM.cpp - CPU kernels to the LLVM dialect ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodyPatterns.h"

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pruner {
#define GEN_PASS_DEF_CONVERTTOLLVMPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// Moves bf16 to and from memory and among lanes as bits, so that no bf16 is
/// left where arithmetic on bf16 was expanded to integers. LLVM builds,
/// selects, shuffles and inserts bf16 by way of f32, and the conversion back is
/// a function that C runtimes may lack.
static void moveBf16AsBits(Operation *root) {
  auto bitsOf = [](Type type) -> Type {
    Type bits = IntegerType::get(type.getContext(), 16);
    if (type.isBF16())
      return bits;
    auto vector = dyn_cast<VectorType>(type);
    if (vector && vector.getElementType().isBF16())
      return vector.clone(bits);
    return {};
  };
  OpBuilder builder(root->getContext());
  auto toBits = [&](Operation *op, OpOperand &operand) {
    Type bits = bitsOf(operand.get().getType());
    if (!bits)
      return;
    builder.setInsertionPoint(op);
    operand.set(
        LLVM::BitcastOp::create(builder, op->getLoc(), bits, operand.get()));
  };
  root->walk([&](Operation *op) {
    if (!isa<LLVM::LoadOp, LLVM::StoreOp, LLVM::MaskedLoadOp,
             LLVM::MaskedStoreOp, LLVM::ShuffleVectorOp, LLVM::ExtractElementOp,
             LLVM::InsertElementOp>(op))
      return;
    for (OpOperand &operand : op->getOpOperands())
      toBits(op, operand);
    for (Value result : op->getResults()) {
      Type type = result.getType(), bits = bitsOf(type);
      if (!bits)
        continue;
      result.setType(bits);
      builder.setInsertionPointAfter(op);
      auto value = LLVM::BitcastOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(value, value);
    }
  });
}

/// Allows either sign for an extremum of zeros. With the correct sign, x86
/// needs two more instructions to order the operands.
static void ignoreSignsOfZero(Operation *root) {
  using vector::CombiningKind;
  root->walk([](Operation *op) {
    auto lanes = dyn_cast<vector::ReductionOp>(op);
    bool extremum = lanes && (lanes.getKind() == CombiningKind::MAXIMUMF ||
                              lanes.getKind() == CombiningKind::MINIMUMF);
    if (!extremum && !isa<arith::MaximumFOp, arith::MinimumFOp>(op))
      return;
    auto math = cast<arith::ArithFastMathInterface>(op);
    op->setAttr(math.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(
                    op->getContext(), math.getFastMathFlagsAttr().getValue() |
                                          arith::FastMathFlags::nsz));
  });
}

/// Expands extrema that ignore NaN to comparisons, which takes x86 no more
/// instructions. LLVM 22 miscompiles vectorized loops over its own operation:
/// the iterations after the last whole vector are lost.
static void expandExtremaOfNumbers(Operation *root) {
  using Predicate = arith::CmpFPredicate;
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value a = op->getOperand(0), b = op->getOperand(1);
    Predicate predicate =
        isa<arith::MaxNumFOp>(op) ? Predicate::OGT : Predicate::OLT;
    Value first = arith::CmpFOp::create(builder, loc, predicate, a, b);
    Value either = arith::SelectOp::create(builder, loc, first, a, b);
    Value isNaN = arith::CmpFOp::create(builder, loc, Predicate::UNO, b, b);
    op->getResult(0).replaceAllUsesWith(
        arith::SelectOp::create(builder, loc, isNaN, a, either));
    op->erase();
  }
}

/// Functions on tensors are not kernels. They belong to a network around them.
static LogicalResult rejectTensors(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  for (auto function : module.getOps<func::FuncOp>())
    if (llvm::any_of(function.getArgumentTypes(), isTensor) ||
        llvm::any_of(function.getResultTypes(), isTensor))
      return function.emitError("@")
             << function.getName()
             << " works on tensors, but this pass only lowers functions on "
                "buffers; use pruner-network-to-llvm for a network with its "
                "kernels";
  return success();
}

namespace {
struct ConvertToLLVMPass
    : public pruner::impl::ConvertToLLVMPassBase<ConvertToLLVMPass> {
  using ConvertToLLVMPassBase::ConvertToLLVMPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    if (failed(rejectTensors(getOperation())))
      return signalPassFailure();
    if (noSignedZeros)
      ignoreSignsOfZero(getOperation());
    expandExtremaOfNumbers(getOperation());
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    options.allocLowering = LowerToLLVMOptions::AllocLowering::AlignedAlloc;
    LLVMTypeConverter converter(context, options);

    RewritePatternSet patterns(context);
    pruner::populateBodyPatterns(converter, patterns, reassociate);
    cf::populateAssertToLLVMConversionPattern(converter, patterns);
    populateOpenMPToLLVMConversionPatterns(converter, patterns);

    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    configureOpenMPToLLVMConversionLegality(target, converter);
    if (failed(
            applyFullConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    moveBf16AsBits(getOperation());
  }
};
} // namespace
