//===- InlineConstants.cpp - constant operands move into bodies ---------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_INLINECONSTANTS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// truncf(constant) -> constant, also when the value has to be rounded.
struct FoldTruncatedConstant : OpRewritePattern<arith::TruncFOp> {
  FoldTruncatedConstant(MLIRContext *context,
                        llvm::function_ref<void()> onRewrite)
      : OpRewritePattern(context), onRewrite(onRewrite) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return failure();
    auto type = dyn_cast<FloatType>(op.getType());
    FloatAttr value;
    if (!type || !matchPattern(op.getIn(), m_Constant(&value)))
      return failure();
    llvm::APFloat number = value.getValue();
    bool losesInfo = false;
    number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(type, number));
    onRewrite();
    return success();
  }

  llvm::function_ref<void()> onRewrite;
};

/// A splat constant, or a fill of a constant, that an elementwise generic reads
/// through any map is one scalar.
struct InlineSplats : OpRewritePattern<linalg::GenericOp> {
  InlineSplats(MLIRContext *context, llvm::function_ref<void()> onRewrite)
      : OpRewritePattern(context), onRewrite(onRewrite) {}

  /// The one element of `value` as an attribute; null if there are others.
  static TypedAttr splatElement(Value value) {
    Attribute element;
    if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
      matchPattern(fill.getInputs()[0], m_Constant(&element));
    } else {
      SplatElementsAttr splat;
      if (matchPattern(value, m_Constant(&splat)))
        element = splat.getSplatValue<Attribute>();
    }
    return dyn_cast_or_null<TypedAttr>(element);
  }

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        op.getNumParallelLoops() != op.getNumLoops())
      return failure();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      // Without a reader it is for upstream's patterns to erase.
      if (argument.use_empty())
        continue;
      TypedAttr element = splatElement(operand->get());
      if (!element || !isa<FloatAttr, IntegerAttr>(element))
        continue;
      rewriter.setInsertionPoint(op);
      Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), element);
      rewriter.replaceAllUsesWith(argument, scalar);
      onRewrite();
      changed = true;
    }
    return success(changed);
  }

  llvm::function_ref<void()> onRewrite;
};

struct InlineConstants : pruner::impl::InlineConstantsBase<InlineConstants> {
  unsigned countInputs() {
    unsigned inputs = 0;
    getOperation().walk(
        [&](linalg::GenericOp op) { inputs += op.getNumDpsInputs(); });
    return inputs;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    // The greedy driver also removes dead ops; forget those before counting.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    unsigned before = countInputs();

    auto countTruncation = [&] { ++numTruncations; };
    auto countSplat = [&] { ++numOperands; };
    RewritePatternSet patterns(&getContext());
    linalg::populateInlineConstantOperandsPatterns(patterns);
    patterns.add<FoldTruncatedConstant>(&getContext(), countTruncation);
    patterns.add<InlineSplats>(&getContext(), countSplat);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numOperands += before - countInputs();

    // The splats' operands have no reader left.
    RewritePatternSet erase(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(erase);
    if (failed(applyPatternsGreedily(getOperation(), std::move(erase))))
      return signalPassFailure();
  }
};
} // namespace
