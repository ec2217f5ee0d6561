//===- Bf16Patterns.cpp - bf16 by integer arithmetic ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arithmetic.h"
#include "Functions.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner::math_expansion;

namespace {
/// Selects between bf16 as between their bits. LLVM selects vectors of bf16 by
/// way of f32 and back, the latter by a function that C runtimes may lack; the
/// expansion of truncf ends in such a select.
struct SelectBf16Bits : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16() ||
        !hasKnownShape(op.getType()))
      return failure();
    Type bits = rewriter.getI16Type();
    if (auto type = dyn_cast<VectorType>(op.getType()))
      bits = type.clone(bits);
    auto toBits = [&](Value value) -> Value {
      return arith::BitcastOp::create(rewriter, op.getLoc(), bits, value);
    };
    Value selected = arith::SelectOp::create(
        rewriter, op.getLoc(), op.getCondition(), toBits(op.getTrueValue()),
        toBits(op.getFalseValue()));
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), selected);
    return success();
  }
};

/// f64 to bf16 by way of f32, rounded to odd: towards zero, and inexact ones
/// with the last bit set. Of 24 such bits 8 can be rounded as if of all 53.
/// Nothing is left for a function that C runtimes may lack.
struct TruncateF64ToBf16 : public OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!getElementTypeOrSelf(op.getType()).isBF16() ||
        !getElementTypeOrSelf(x.getType()).isF64() ||
        !hasKnownShape(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f64 to bf16");
    Type narrow = rewriter.getF32Type();
    if (vector)
      narrow = vector.clone(narrow);
    Arithmetic arith(rewriter, op.getLoc(), narrow), wide = arith.wide();
    Value nearest = arith.narrow(x), back = arith.widen(nearest);
    Value bits = arith.bits(nearest);
    Value above = wide.less(wide.abs(x), wide.abs(back));
    Value below = wide.less(wide.abs(back), wide.abs(x));
    Value one = arith.integer(1);
    Value towardsZero = arith.select(above, arith.subInt(bits, one), bits);
    Value odd = arith::OrIOp::create(rewriter, op.getLoc(), towardsZero, one);
    Value inexact = arith::OrIOp::create(rewriter, op.getLoc(), above, below);
    Value rounded = arith.fromBits(arith.select(inexact, odd, bits));
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), rounded);
    return success();
  }
};
} // namespace

void pruner::math_expansion::populateBf16Patterns(RewritePatternSet &patterns) {
  patterns.add<SelectBf16Bits, TruncateF64ToBf16>(patterns.getContext());
}
