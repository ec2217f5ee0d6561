//===- RaiseMinMax.cpp - compare and select become one op -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_RAISEMINMAXPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// The negation of `predicate`.
static arith::CmpFPredicate negate(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OGT:
    return P::ULE;
  case P::OGE:
    return P::ULT;
  case P::OLT:
    return P::UGE;
  case P::OLE:
    return P::UGT;
  case P::UGT:
    return P::OLE;
  case P::UGE:
    return P::OLT;
  case P::ULT:
    return P::OGE;
  case P::ULE:
    return P::OGT;
  default:
    return P::AlwaysFalse;
  }
}

/// The predicate p with p(y, x) = `predicate`(x, y).
static arith::CmpFPredicate mirror(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OGT:
    return P::OLT;
  case P::OGE:
    return P::OLE;
  case P::OLT:
    return P::OGT;
  case P::OLE:
    return P::OGE;
  case P::UGT:
    return P::ULT;
  case P::UGE:
    return P::ULE;
  case P::ULT:
    return P::UGT;
  case P::ULE:
    return P::UGE;
  default:
    return P::AlwaysFalse;
  }
}

namespace {
/// select(x ? bound, x, bound) with a constant bound.
struct Clamp {
  arith::CmpFPredicate predicate;
  Value x, bound;
};
} // namespace

/// Matches `op` as a clamp, with the constant on either side and the arms in
/// either order.
static std::optional<Clamp> matchClamp(arith::SelectOp op) {
  auto compare = op.getCondition().getDefiningOp<arith::CmpFOp>();
  if (!compare)
    return std::nullopt;
  arith::CmpFPredicate predicate = compare.getPredicate();
  Value x = compare.getLhs(), bound = compare.getRhs();
  if (matchPattern(x, m_Constant())) {
    std::swap(x, bound);
    predicate = mirror(predicate);
  }
  if (op.getTrueValue() == bound && op.getFalseValue() == x)
    predicate = negate(predicate);
  else if (op.getTrueValue() != x || op.getFalseValue() != bound)
    return std::nullopt;
  return Clamp{predicate, x, bound};
}

/// Replaces `op` if it equals maximumf or minimumf for every x. Both return NaN
/// for NaN, so x must win an unordered comparison. They also order -0 < +0,
/// which a comparison considers equal, so a bound of zero must win or lose the
/// tie according to its sign.
static bool raise(IRRewriter &rewriter, arith::SelectOp op) {
  using P = arith::CmpFPredicate;
  std::optional<Clamp> clamp = matchClamp(op);
  FloatAttr bound;
  if (!clamp || !isa<FloatType>(op.getType()) ||
      !matchPattern(clamp->bound, m_Constant(&bound)) ||
      bound.getValue().isNaN())
    return false;
  llvm::APFloat value = bound.getValue();
  // The operand to return if both operands are zero.
  bool zero = value.isZero(), negative = value.isNegative();
  P predicate = clamp->predicate;
  bool isMax = predicate == P::UGT || predicate == P::UGE;
  bool isMin = predicate == P::ULT || predicate == P::ULE;
  bool tieIsX = predicate == P::UGE || predicate == P::ULE;
  if (!isMax && !isMin)
    return false;
  // max(-0, +0) is +0 and max(+0, -0) is +0: the bound wins if it is +0, and x
  // if the bound is -0. For min it is the opposite.
  if (zero && tieIsX != (isMax ? negative : !negative))
    return false;
  rewriter.setInsertionPoint(op);
  if (isMax)
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(op, clamp->x, clamp->bound);
  else
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, clamp->x, clamp->bound);
  return true;
}

namespace {
struct RaiseMinMax : pruner::impl::RaiseMinMaxPassBase<RaiseMinMax> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp op) { selects.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (arith::SelectOp op : selects) {
      Operation *compare = op.getCondition().getDefiningOp();
      if (!raise(rewriter, op))
        continue;
      ++numRaised;
      if (isOpTriviallyDead(compare))
        rewriter.eraseOp(compare);
    }
  }
};
} // namespace
