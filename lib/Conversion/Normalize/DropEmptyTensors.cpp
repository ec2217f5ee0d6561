//===- DropEmptyTensors.cpp - tensors without elements --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/EmptyTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace pruner {
#define GEN_PASS_DEF_DROPEMPTYTENSORSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct DropEmptyTensorsPass
    : public pruner::impl::DropEmptyTensorsPassBase<DropEmptyTensorsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops)
      rewrite(rewriter, op);
    for (BlockArgument argument : function.getArguments())
      replaceEmpty(rewriter, argument);
  }

private:
  void rewrite(RewriterBase &rewriter, Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      // Without iterations the inits are the results.
      if (linalgOp.hasPureTensorSemantics() &&
          llvm::is_contained(linalgOp.getStaticLoopRanges(), 0)) {
        rewriter.replaceOp(op, linalgOp.getDpsInits());
        ++numDropped;
      }
      return;
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      if (isEmptyTensor(insert.getSourceType())) {
        rewriter.replaceOp(op, insert.getDest());
        ++numDropped;
        return;
      }
    }
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      if (isEmptyTensor(pad.getSourceType()) && replacePad(rewriter, pad))
        return;
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      if (replaceConcat(rewriter, concat))
        return;
    for (OpResult result : op->getResults())
      replaceEmpty(rewriter, result);
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  }

  /// If `value` has no elements, gives its readers an empty tensor.
  void replaceEmpty(RewriterBase &rewriter, Value value) {
    if (!isEmptyTensor(value.getType()) || value.use_empty() ||
        value.getDefiningOp<tensor::EmptyOp>())
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(value);
    auto type = cast<RankedTensorType>(value.getType());
    rewriter.replaceAllUsesWith(
        value, tensor::EmptyOp::create(rewriter, value.getLoc(),
                                       type.getShape(), type.getElementType())
                   .getResult());
    ++numDropped;
  }

  /// Replaces padding around nothing by a tensor of the padding value.
  bool replacePad(RewriterBase &rewriter, tensor::PadOp pad) {
    Value value = pad.getConstantPaddingValue();
    RankedTensorType type = pad.getResultType();
    if (!value || !type.hasStaticShape())
      return false;
    // The region is erased with the pad.
    if (value.getParentRegion() == &pad.getRegion())
      value = rewriter.clone(*value.getDefiningOp())->getResult(0);
    Value empty = tensor::EmptyOp::create(
        rewriter, pad.getLoc(), type.getShape(), type.getElementType());
    auto fill = linalg::FillOp::create(rewriter, pad.getLoc(), value, empty);
    rewriter.replaceOp(pad, fill.getResult(0));
    ++numDropped;
    return true;
  }

  bool replaceConcat(RewriterBase &rewriter, tensor::ConcatOp concat) {
    SmallVector<Value> parts;
    for (Value part : concat.getInputs())
      if (!isEmptyTensor(part.getType()))
        parts.push_back(part);
    if (parts.size() == concat.getInputs().size() || parts.empty())
      return false;
    if (parts.size() == 1 && parts[0].getType() == concat.getType())
      rewriter.replaceOp(concat, parts[0]);
    else
      rewriter.modifyOpInPlace(
          concat, [&] { concat.getInputsMutable().assign(parts); });
    ++numDropped;
    return true;
  }
};
} // namespace
