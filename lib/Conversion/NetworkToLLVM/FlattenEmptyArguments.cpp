//===- FlattenEmptyArguments.cpp - types of empty arguments ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/EmptyTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace pruner {
#define GEN_PASS_DEF_FLATTENEMPTYARGUMENTSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// An empty vector for a tensor that statically has no elements, or \p type.
static Type flatten(Type type) {
  return isEmptyTensor(type)
             ? RankedTensorType::get(
                   {0}, cast<RankedTensorType>(type).getElementType())
             : type;
}

namespace {
struct FlattenEmptyArgumentsPass
    : public pruner::impl::FlattenEmptyArgumentsPassBase<
          FlattenEmptyArgumentsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.isPublic())
      return;
    for (BlockArgument argument : function.getArguments())
      if (argument.use_empty())
        argument.setType(flatten(argument.getType()));
    SmallVector<Type> results(
        llvm::map_range(function.getResultTypes(), flatten));
    OpBuilder builder(&getContext());
    function.walk([&](func::ReturnOp op) {
      builder.setInsertionPoint(op);
      for (OpOperand &operand : op->getOpOperands()) {
        Type wanted = results[operand.getOperandNumber()];
        if (operand.get().getType() == wanted)
          continue;
        auto type = cast<RankedTensorType>(wanted);
        operand.set(tensor::EmptyOp::create(
            builder, op.getLoc(), type.getShape(), type.getElementType()));
      }
    });
    function.setType(builder.getFunctionType(
        function.getBody().front().getArgumentTypes(), results));
  }
};
} // namespace
