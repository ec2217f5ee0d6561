//===- NarrowIntegers.cpp - integers of 32 bits instead of 64 -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "RangeOf.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_NARROWINTEGERSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// True if 32 bits hold every number that `value`, an i64, is computed from by
/// sums and differences.
static bool fits(Value value) {
  std::optional<pruner::IntegerRange> range = pruner::rangeOf(value);
  if (!range ||
      !pruner::checked(*range, IntegerType::get(value.getContext(), 32)))
    return false;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return fits(op->getOperand(0)) && fits(op->getOperand(1));
  return true;
}

/// `value`, which fits, as an i32.
static Value narrow(RewriterBase &rewriter, Value value) {
  Location loc = value.getLoc();
  Type i32 = rewriter.getI32Type();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return arith::ConstantOp::create(
        rewriter, loc, rewriter.getI32IntegerAttr(constant.getSExtValue()));
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    Value a = narrow(rewriter, op->getOperand(0)),
          b = narrow(rewriter, op->getOperand(1));
    if (isa<arith::AddIOp>(op))
      return arith::AddIOp::create(rewriter, loc, a, b);
    return arith::SubIOp::create(rewriter, loc, a, b);
  }
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op)) {
    Value inner = op->getOperand(0);
    if (inner.getType().getIntOrFloatBitWidth() < 32)
      return isa<arith::ExtSIOp>(op)
                 ? Value(arith::ExtSIOp::create(rewriter, loc, i32, inner))
                 : Value(arith::ExtUIOp::create(rewriter, loc, i32, inner));
    if (inner.getType() == i32)
      return inner;
  }
  return arith::TruncIOp::create(rewriter, loc, i32, value);
}

namespace {
struct NarrowIntegers : pruner::impl::NarrowIntegersPassBase<NarrowIntegers> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<Operation *> conversions;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::SIToFPOp>(op) &&
          op->getOperand(0).getType().isInteger(64) &&
          op->getParentOfType<linalg::GenericOp>())
        conversions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : conversions) {
      if (!fits(op->getOperand(0)))
        continue;
      rewriter.setInsertionPoint(op);
      Value narrowed = narrow(rewriter, op->getOperand(0));
      rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, narrowed); });
      ++numNarrowed;
    }
  }
};
} // namespace
