//===- RoundThroughF32.cpp - doubles to half precision --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERROUNDTHROUGHF32
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

namespace {
/// Rounds to f32 first, but to odd: what is not exact gets the neighbour nearer
/// to zero with its last bit set. f32 has more than two bits beyond f16 and
/// bf16, so that bit decides what is no tie, and the second rounding gives what
/// one would have given (Boldo, Melquiond: Emulation of FMA and correctly
/// rounded sums, IEEE Trans. Computers 57 (4), 2008).
struct RoundToOdd : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    Type to = getElementTypeOrSelf(op.getType());
    if (!getElementTypeOrSelf(x.getType()).isF64() ||
        !(to.isF16() || to.isBF16()) || op.getRoundingmodeAttr())
      return failure();
    Location loc = op.getLoc();
    Type single = withElement(x.getType(), rewriter.getF32Type()),
         integer = withElement(x.getType(), rewriter.getI32Type());
    Value one;
    TypedAttr unit = rewriter.getI32IntegerAttr(1);
    if (auto shaped = dyn_cast<ShapedType>(integer))
      unit = DenseElementsAttr::get(shaped, Attribute(unit));
    one = arith::ConstantOp::create(rewriter, loc, unit);
    Value nearest = arith::TruncFOp::create(rewriter, loc, single, x);
    Value back = arith::ExtFOp::create(rewriter, loc, x.getType(), nearest);
    Value bits = arith::BitcastOp::create(rewriter, loc, integer, nearest);
    Value away =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGT,
                              math::AbsFOp::create(rewriter, loc, back),
                              math::AbsFOp::create(rewriter, loc, x));
    // The magnitude's bits count up.
    Value less = arith::SubIOp::create(rewriter, loc, bits, one);
    Value towardsZero =
        arith::SelectOp::create(rewriter, loc, away, less, bits);
    Value odd = arith::OrIOp::create(rewriter, loc, towardsZero, one);
    // Not where x is NaN.
    Value inexact = arith::CmpFOp::create(rewriter, loc,
                                          arith::CmpFPredicate::ONE, back, x);
    Value rounded = arith::SelectOp::create(rewriter, loc, inexact, odd, bits);
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(
        op, op.getType(),
        arith::BitcastOp::create(rewriter, loc, single, rounded));
    return success();
  }
};

struct RoundThroughF32Pass
    : public pruner::impl::PrunerRoundThroughF32Base<RoundThroughF32Pass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundToOdd>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
