//===- ExpandViews.cpp - views as offsets and strides ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_EXPANDVIEWSPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// Numbers of a view: as the type states them, or else as values.
static SmallVector<OpFoldResult> asInType(OpBuilder &builder, Location loc,
                                          ArrayRef<OpFoldResult> numbers,
                                          ArrayRef<int64_t> ofType) {
  SmallVector<OpFoldResult> made;
  for (auto [number, known] : llvm::zip_equal(numbers, ofType))
    made.push_back(ShapedType::isDynamic(known)
                       ? OpFoldResult(getValueOrCreateConstantIndexOp(
                             builder, loc, number))
                       : builder.getIndexAttr(known));
  return made;
}

namespace {
/// A dimension as several dimensions of which more than one is dynamic.
/// Upstream's pattern divides by the static ones to find the only dynamic one.
struct ExpandToDynamic : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    auto isSimple = [&](ArrayRef<int64_t> group) {
      return llvm::count_if(
                 group, [&](int64_t n) { return type.isDynamicDim(n); }) < 2;
    };
    if (llvm::all_of(op.getReassociationIndices(), isSimple))
      return rewriter.notifyMatchFailure(op, "upstream's pattern suffices");
    Location loc = op.getLoc();
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(sizes.size());
    AffineExpr product =
        rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
    for (auto [n, group] : llvm::enumerate(op.getReassociationIndices())) {
      OpFoldResult stride = source.getConstifiedMixedStrides()[n];
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                       {stride, sizes[dim]});
      }
    }
    auto [stridesOfType, offsetOfType] = type.getStridesAndOffset();
    OpFoldResult offset =
        asInType(rewriter, loc, source.getConstifiedMixedOffset(), offsetOfType)
            .front();
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), offset,
        asInType(rewriter, loc, sizes, type.getShape()),
        asInType(rewriter, loc, strides, stridesOfType));
    return success();
  }
};

struct ExpandViewsPass
    : public pruner::impl::ExpandViewsPassBase<ExpandViewsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<memref::MemRefDialect>(op->getDialect()) &&
          !isa<memref::LoadOp, memref::StoreOp>(op))
        ops.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    memref::populateExpandStridedMetadataPatterns(patterns);
    patterns.add<ExpandToDynamic>(&getContext(), /*benefit=*/2);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
