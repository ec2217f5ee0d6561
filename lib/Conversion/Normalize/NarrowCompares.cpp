//===- NarrowCompares.cpp - comparisons in the type of the data -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_NARROWCOMPARESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// `value` before it was widened, of type `narrow`: the source of an extf, or
/// a constant that `narrow` holds exactly. Null otherwise.
static Value narrowed(IRRewriter &rewriter, Value value, FloatType narrow) {
  if (auto widen = value.getDefiningOp<arith::ExtFOp>())
    return widen.getIn().getType() == narrow ? widen.getIn() : Value();
  FloatAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  llvm::APFloat number = constant.getValue();
  bool losesInfo = false;
  number.convert(narrow.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  if (losesInfo)
    return {};
  return arith::ConstantOp::create(rewriter, value.getLoc(),
                                   rewriter.getFloatAttr(narrow, number));
}

namespace {
struct NarrowCompares : pruner::impl::NarrowComparesPassBase<NarrowCompares> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<arith::CmpFOp> compares;
    getOperation().walk([&](arith::CmpFOp op) { compares.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (arith::CmpFOp op : compares) {
      auto widen = op.getLhs().getDefiningOp<arith::ExtFOp>();
      if (!widen)
        widen = op.getRhs().getDefiningOp<arith::ExtFOp>();
      auto narrow =
          widen ? dyn_cast<FloatType>(widen.getIn().getType()) : FloatType();
      if (!narrow)
        continue;
      rewriter.setInsertionPoint(op);
      Value lhs = narrowed(rewriter, op.getLhs(), narrow);
      Value rhs = narrowed(rewriter, op.getRhs(), narrow);
      if (!lhs || !rhs)
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        op.getLhsMutable().assign(lhs);
        op.getRhsMutable().assign(rhs);
      });
      ++numNarrowed;
      if (isOpTriviallyDead(widen))
        rewriter.eraseOp(widen);
    }
  }
};
} // namespace
