//===- FoldUnitDims.cpp - drop dimensions of extent one -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "Reshape.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_FOLDUNITDIMSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// `type` without its dimensions of extent one, except `keep`.
static RankedTensorType withoutUnitDims(RankedTensorType type, int64_t keep) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (extent != 1 || static_cast<int64_t>(dim) == keep)
      shape.push_back(extent);
  return RankedTensorType::get(shape, type.getElementType());
}

/// `expr` without the loops in `dropped`, which have one iteration.
static AffineExpr withoutLoops(AffineExpr expr, const llvm::BitVector &dropped,
                               unsigned numLoops) {
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    loops.push_back(dropped.test(loop)
                        ? getAffineConstantExpr(0, expr.getContext())
                        : getAffineDimExpr(loop, expr.getContext()));
  return simplifyAffineExpr(expr.replaceDims(loops), numLoops, 0);
}

/// The loops of `op` that can be dropped if they have one iteration. A loop
/// that is a coordinate without other terms must run over the whole dimension.
/// If a window has one position in a larger input, the loop over positions
/// therefore stays: it implies that the loop over the window's elements may end
/// early.
///
/// Longer loops are included, as in upstream's default. Upstream does not touch
/// the op if the list is empty, but operands may have unit dimensions even if
/// no loop has one iteration, as (d0, 0) for the sum of a row.
static SmallVector<unsigned> loopsToDrop(linalg::GenericOp op) {
  unsigned numLoops = op.getNumLoops();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  llvm::BitVector dropped(numLoops), allowed(numLoops, true);
  for (unsigned loop = 0; loop < numLoops; ++loop)
    dropped[loop] = extents[loop] == 1;
  // The loop of `expr` among the dropped ones that must stay, or -1. `expr` is
  // the coordinate in a dimension of `extent`.
  auto neededFor = [&](AffineExpr expr, int64_t extent) {
    auto alone = dyn_cast<AffineDimExpr>(withoutLoops(expr, dropped, numLoops));
    if (!alone || (!ShapedType::isDynamic(extent) &&
                   extents[alone.getPosition()] == extent))
      return -1;
    for (unsigned loop : dropped.set_bits())
      if (expr.isFunctionOfDim(loop))
        return int(loop);
    return -1;
  };
  // A loop that stays may be a single term of another coordinate.
  for (bool changed = true; changed;) {
    changed = false;
    for (OpOperand &operand : op->getOpOperands())
      for (auto [expr, extent] :
           llvm::zip_equal(op.getMatchingIndexingMap(&operand).getResults(),
                           op.getShape(&operand)))
        if (int loop = neededFor(expr, extent); loop >= 0) {
          dropped.reset(loop);
          allowed.reset(loop);
          changed = true;
        }
  }
  return llvm::to_vector_of<unsigned>(allowed.set_bits());
}

namespace {
/// Concatenates tensors without the unit dimensions that they share. Skips
/// casts that only drop a static size.
struct ConcatWithoutUnitDims : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    RankedTensorType type = op.getResultType();
    SmallVector<Value> inputs(op.getInputs());
    bool hadCast = false;
    for (Value &input : inputs)
      if (auto cast = input.getDefiningOp<tensor::CastOp>())
        if (tensor::preservesStaticInformation(cast.getType(),
                                               cast.getSource().getType())) {
          input = cast.getSource();
          hadCast = true;
        }
    RankedTensorType less = withoutUnitDims(type, dim);
    if (!type.hasStaticShape() || type.getEncoding() ||
        (less == type && !hadCast))
      return failure();
    for (Value input : inputs)
      if (!cast<RankedTensorType>(input.getType()).hasStaticShape())
        return failure();

    int64_t newDim = dim - llvm::count(type.getShape().take_front(dim), 1);
    for (Value &input : inputs) {
      auto from = cast<RankedTensorType>(input.getType());
      input = pruner::reshape(rewriter, op.getLoc(), input,
                              withoutUnitDims(from, dim));
    }
    Value joined =
        tensor::ConcatOp::create(rewriter, op.getLoc(), less, newDim, inputs);
    rewriter.replaceOp(op,
                       pruner::reshape(rewriter, op.getLoc(), joined, type));
    return success();
  }
};

/// Takes a slice of a tensor without its unit dimensions.
struct SliceWithoutUnitDims : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getSourceType(), to = op.getType();
    if (!from.hasStaticShape() || !to.hasStaticShape() || from.getEncoding())
      return failure();
    RankedTensorType less = withoutUnitDims(from, -1);
    if (less == from || less.getRank() == 0)
      return failure();
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> shape;
    for (int64_t dim = 0; dim < from.getRank(); ++dim) {
      if (from.getDimSize(dim) == 1)
        continue;
      offsets.push_back(op.getMixedOffsets()[dim]);
      sizes.push_back(op.getMixedSizes()[dim]);
      strides.push_back(op.getMixedStrides()[dim]);
      shape.push_back(op.getStaticSizes()[dim]);
    }
    if (ShapedType::isDynamicShape(shape))
      return failure();
    auto sliceType = RankedTensorType::get(shape, from.getElementType());
    if (!pruner::canSliceAs(sliceType, to))
      return failure();
    Value source = pruner::reshape(rewriter, op.getLoc(), op.getSource(), less);
    rewriter.replaceOp(op,
                       pruner::sliceAs(rewriter, op.getLoc(), source, offsets,
                                       sizes, strides, sliceType, to));
    return success();
  }
};

/// Makes a product of matrices of a batch of one.
struct ProductWithoutBatch : OpRewritePattern<linalg::BatchMatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::BatchMatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        op.getStaticLoopRanges().front() != 1)
      return failure();
    SmallVector<AffineMap> maps;
    auto dims = llvm::map_to_vector(llvm::seq(4), [&](int dim) {
      return dim == 0 ? rewriter.getAffineConstantExpr(0)
                      : rewriter.getAffineDimExpr(dim - 1);
    });
    for (AffineMap map : op.getIndexingMapsArray()) {
      if (map.getNumResults() != 3 ||
          map.getResult(0) != rewriter.getAffineDimExpr(0))
        return failure();
      maps.push_back(map.dropResult(0).replaceDimsAndSymbols(dims, {}, 3, 0));
    }
    auto matrix = [&](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      return pruner::reshape(rewriter, op.getLoc(), value,
                             RankedTensorType::get(type.getShape().drop_front(),
                                                   type.getElementType()));
    };
    SmallVector<Value> inputs = llvm::map_to_vector(op.getInputs(), matrix);
    SmallVector<NamedAttribute> attributes;
    if (auto cast = op->getAttr("cast"))
      attributes.emplace_back(rewriter.getStringAttr("cast"), cast);
    auto product = linalg::MatmulOp::create(
        rewriter, op.getLoc(), inputs, matrix(op.getDpsInits()[0]), attributes);
    product->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
    rewriter.replaceOp(
        op, pruner::reshape(rewriter, op.getLoc(), product.getResult(0),
                            cast<RankedTensorType>(op.getResult(0).getType())));
    return success();
  }
};
} // namespace

/// Moves constants out of the regions of pads, because upstream's patterns use
/// the padding after they erase the pad.
static void hoistPadding(Operation *function) {
  function->walk([](tensor::PadOp pad) {
    Value padding = pad.getConstantPaddingValue();
    Operation *constant = padding ? padding.getDefiningOp() : nullptr;
    if (constant && pad->isProperAncestor(constant))
      constant->moveBefore(pad);
  });
}

namespace {
struct FoldUnitDims : pruner::impl::FoldUnitDimsPassBase<FoldUnitDims> {
  unsigned countUnitGenerics() {
    unsigned generics = 0;
    getOperation().walk([&](linalg::GenericOp op) {
      generics += llvm::is_contained(op.getStaticLoopRanges(), 1);
    });
    return generics;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    unsigned before = countUnitGenerics();
    hoistPadding(getOperation());
    linalg::ControlDropUnitDims options;
    options.controlFn = [all = options.controlFn](Operation *op) {
      auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
      return generic ? loopsToDrop(generic) : all(op);
    };
    {
      // These patterns are not suited for a greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      walkAndApplyPatterns(getOperation(), std::move(patterns));
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns,
                                                               options);
    patterns
        .add<ConcatWithoutUnitDims, ProductWithoutBatch, SliceWithoutUnitDims>(
            &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numGenerics += before - countUnitGenerics();
  }
};
} // namespace
