//===- KeepArguments.cpp - read-only tensor arguments ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {
#define GEN_PASS_DEF_KEEPARGUMENTSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct KeepArgumentsPass
    : public pruner::impl::KeepArgumentsPassBase<KeepArgumentsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.isPublic())
      return;
    Builder builder(&getContext());
    for (unsigned n = 0, e = function.getNumArguments(); n != e; ++n)
      if (isa<TensorType>(function.getArgument(n).getType()))
        function.setArgAttr(
            n, bufferization::BufferizationDialect::kWritableAttrName,
            builder.getBoolAttr(false));
    separateResults(function);
  }

  /// Gives every result its own buffer. The upstream pass that turns result
  /// buffers into arguments cannot handle one buffer for two results.
  void separateResults(func::FuncOp function) {
    function.walk([](func::ReturnOp op) {
      OpBuilder builder(op);
      llvm::SmallPtrSet<Value, 4> seen;
      for (OpOperand &operand : op->getOpOperands()) {
        Value value = operand.get();
        auto type = dyn_cast<RankedTensorType>(value.getType());
        if (!type || !type.hasStaticShape() ||
            (seen.insert(value).second && !isa<BlockArgument>(value)))
          continue;
        operand.set(bufferization::AllocTensorOp::create(
            builder, op.getLoc(), type, ValueRange(), value));
      }
    });
  }
};
} // namespace
