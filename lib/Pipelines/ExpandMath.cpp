//===- ExpandMath.cpp - math functions as arithmetic ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "pruner/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNEREXPANDMATH
#define GEN_PASS_DEF_PRUNERCHECKDEVICEMATH
#include "pruner/Pipelines/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {

/// log10(x) = log2(x) * log10(2), which upstream has no approximation for.
struct ExpandLog10 : public OpRewritePattern<math::Log10Op> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::Log10Op op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    auto scale = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(rewriter.getF32FloatAttr(0.30102999566398119521f)));
    Value factor = scale;
    if (auto type = dyn_cast<VectorType>(op.getType()))
      factor = vector::BroadcastOp::create(rewriter, op.getLoc(), type, factor);
    Value log2 = math::Log2Op::create(rewriter, op.getLoc(), op.getOperand(),
                                      op.getFastmathAttr());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, log2, factor,
                                               op.getFastmath());
    return success();
  }
};

/// Selects between bf16 as between their bits. LLVM selects vectors of bf16 by
/// way of f32 and back, the latter by a function that C runtimes may lack; the
/// expansion of truncf ends in such a select.
struct SelectBf16Bits : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16())
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

struct ExpandMathPass
    : public pruner::impl::PrunerExpandMathBase<ExpandMathPass> {
  using PrunerExpandMathBase::PrunerExpandMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Upstream's rsqrt is x86vector's estimate: less accurate, one CPU family,
    // and it ends the process when that dialect is not loaded. Of exp, erf and
    // tanh there are shorter forms here.
    auto wanted = [](StringRef name) {
      return name != math::RsqrtOp::getOperationName() &&
             name != math::ExpOp::getOperationName() &&
             name != math::ErfOp::getOperationName() &&
             name != math::TanhOp::getOperationName();
    };
    pruner::populateMathFunctionPatterns(patterns);
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    populateMathPolynomialApproximationPatterns(patterns, wanted);
    // What is composed of functions that have an approximation. tanh is not in
    // the list: the rational approximation is more accurate near zero.
    math::populateExpansionPatterns(
        patterns, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "powf",
                   "fpowi", "ipowi", "rsqrt", "clampf"});
    patterns.add<ExpandLog10>(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (expandBf16) {
      arith::populateExpandBFloat16Patterns(patterns);
      patterns.add<SelectBf16Bits>(&getContext());
    }
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

struct CheckDeviceMathPass
    : public pruner::impl::PrunerCheckDeviceMathBase<CheckDeviceMathPass> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](Operation *op) {
      if (!isa_and_present<math::MathDialect>(op->getDialect()))
        return;
      if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
              math::TruncOp, math::RoundEvenOp, math::SqrtOp, math::FmaOp,
              math::CopySignOp, math::CountLeadingZerosOp,
              math::CountTrailingZerosOp, math::CtPopOp, math::IsFiniteOp,
              math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op))
        return;
      op->emitOpError("on ")
          << op->getResult(0).getType()
          << " has no device instruction and no expansion; calls to a device "
             "library are not supported";
      failed = true;
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
