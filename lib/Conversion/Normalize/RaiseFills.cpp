//===- RaiseFills.cpp - generics that store one value become fills --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_RAISEFILLSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// The value that `op` stores to every element of its result, or null.
static Value storedValue(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
    return {};
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  Value value = yield.getOperand(0);
  // Ops that may fail (cf.assert) or are unknown must stay.
  for (Operation &inner : op.getBlock()->without_terminator())
    if (!isMemoryEffectFree(&inner))
      return {};
  if (value.getParentRegion() != &op.getRegion())
    return value;
  // A scalar operand.
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Value operand = op.getMatchingOpOperand(argument)->get();
    return operand.getType() == value.getType() ? operand : Value();
  }
  return matchPattern(value, m_Constant()) ? value : Value();
}

namespace {
struct RaiseFills : pruner::impl::RaiseFillsPassBase<RaiseFills> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> generics;
    getOperation().walk([&](linalg::GenericOp op) { generics.push_back(op); });
    for (linalg::GenericOp op : generics) {
      Value value = storedValue(op);
      if (!value)
        continue;
      rewriter.setInsertionPoint(op);
      if (value.getParentRegion() == &op.getRegion())
        value = rewriter.clone(*value.getDefiningOp())->getResult(0);
      rewriter.replaceOpWithNewOp<linalg::FillOp>(op, value,
                                                  op.getDpsInits()[0]);
      ++numRaised;
    }
  }
};
} // namespace
