//===- FoldUnitDims.cpp - dimensions of extent one go -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_FOLDUNITDIMS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// `type` without its dimensions of extent one, `keep` excepted.
static RankedTensorType withoutUnitDims(RankedTensorType type, int64_t keep) {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (extent != 1 || static_cast<int64_t>(dim) == keep)
      shape.push_back(extent);
  return RankedTensorType::get(shape, type.getElementType());
}

/// What is left of `expr` without the loops in `dropped`, which have one
/// iteration.
static AffineExpr withoutLoops(AffineExpr expr, const llvm::BitVector &dropped,
                               unsigned numLoops) {
  SmallVector<AffineExpr> loops;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    loops.push_back(dropped.test(loop)
                        ? getAffineConstantExpr(0, expr.getContext())
                        : getAffineDimExpr(loop, expr.getContext()));
  return simplifyAffineExpr(expr.replaceDims(loops), numLoops, 0);
}

/// The loops of `op` that can go if they have one iteration. A loop that is a
/// coordinate by itself must run over all of its dimension. So where a window
/// has one position in a larger input, the loop over positions stays: it is
/// what tells that the loop over the window's elements ends early.
///
/// Longer loops are named as well, as upstream's own default does: it takes an
/// empty list as a wish to leave the op alone, and operands may have unit
/// dimensions where no loop has one iteration, as (d0, 0) of a row's sum.
static SmallVector<unsigned> loopsToDrop(linalg::GenericOp op) {
  unsigned numLoops = op.getNumLoops();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  llvm::BitVector dropped(numLoops), allowed(numLoops, true);
  for (unsigned loop = 0; loop < numLoops; ++loop)
    dropped[loop] = extents[loop] == 1;
  // A dropped loop of `expr`, the coordinate in a dimension of `extent`, that
  // has to stay; -1: none.
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
  // What stays may leave another coordinate with a loop alone.
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
/// A concatenation of tensors that share unit dimensions joins them without.
/// Casts that only forget a size go on the way.
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

/// A slice of a tensor with unit dimensions is taken without them.
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

/// Moves constants out of the regions of pads: upstream's patterns go on using
/// the padding when the pad is gone.
static void hoistPadding(Operation *function) {
  function->walk([](tensor::PadOp pad) {
    Value padding = pad.getConstantPaddingValue();
    Operation *constant = padding ? padding.getDefiningOp() : nullptr;
    if (constant && pad->isProperAncestor(constant))
      constant->moveBefore(pad);
  });
}

struct FoldUnitDims : pruner::impl::FoldUnitDimsBase<FoldUnitDims> {
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
      // These patterns are not made for a greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      walkAndApplyPatterns(getOperation(), std::move(patterns));
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns,
                                                               options);
    patterns.add<ConcatWithoutUnitDims, SliceWithoutUnitDims>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numGenerics += before - countUnitGenerics();
  }
};
} // namespace
