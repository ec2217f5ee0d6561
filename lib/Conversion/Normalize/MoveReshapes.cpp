//===- MoveReshapes.cpp - reshapes move out of the way of fusion --------===//
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
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_MOVERESHAPES
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Only all-parallel generics may change rank: a product or a reduction that
/// did would no longer be recognised for what it is.
static bool isElementwiseGeneric(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.getNumParallelLoops() == generic.getNumLoops();
}

/// The value that `value` is, seen through one collapse_shape that only drops
/// dimensions of extent one; null if there is none.
static Value behindUnitCollapse(Value value) {
  auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse)
    return {};
  RankedTensorType from = collapse.getSrcType();
  for (ArrayRef<int64_t> group : collapse.getReassociationIndices())
    if (llvm::count_if(
            group, [&](int64_t dim) { return from.getDimSize(dim) != 1; }) > 1)
      return {};
  return collapse.getSrc();
}

/// Whether `value` is a contraction's result or elementwise work upon one that
/// has the same number of dimensions.
static bool comesFromContraction(Value value) {
  Operation *op = value.getDefiningOp();
  if (isElementwiseGeneric(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return operand.getType() == value.getType() &&
             comesFromContraction(operand);
    });
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaContractionOpInterface(linalgOp);
}

namespace {
/// Two reshapes in a row are one, or none, when a single one has the same
/// types at its ends: no reshape changes the order of the elements. Upstream
/// merges those whose groups of dimensions nest; unit dimensions may be grouped
/// with either neighbour, and then groups overlap.
template <typename Outer, typename Inner>
struct MergeReshapes : OpRewritePattern<Outer> {
  using OpRewritePattern<Outer>::OpRewritePattern;

  LogicalResult matchAndRewrite(Outer op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().template getDefiningOp<Inner>();
    if (!inner)
      return failure();
    if (!pruner::canReshape(inner.getSrcType(), op.getResultType()))
      return failure();
    rewriter.replaceOp(op, pruner::reshape(rewriter, op.getLoc(),
                                           inner.getSrc(), op.getResultType()));
    return success();
  }
};

struct Counter : RewriterBase::Listener {
  void notifyOperationReplaced(Operation *op, ValueRange) override {
    rewritten += isElementwiseGeneric(op);
  }
  unsigned rewritten = 0;
};

struct MoveReshapes : pruner::impl::MoveReshapesBase<MoveReshapes> {
  /// Applies `patterns` with those that merge reshapes. Returns the number of
  /// elementwise generics that were rewritten.
  FailureOr<unsigned> apply(RewritePatternSet patterns) {
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    patterns.add<MergeReshapes<tensor::CollapseShapeOp, tensor::ExpandShapeOp>,
                 MergeReshapes<tensor::ExpandShapeOp, tensor::CollapseShapeOp>>(
        &getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    Counter counter;
    GreedyRewriteConfig config;
    config.setListener(&counter);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return failure();
    return counter.rewritten;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    // `operand` is a generic's read of an expand_shape, or a collapse_shape's
    // read of a generic.
    linalg::ControlFusionFn mayCollapse = [](OpOperand *operand) {
      Operation *owner = operand->getOwner();
      return isElementwiseGeneric(isa<tensor::CollapseShapeOp>(owner)
                                      ? operand->get().getDefiningOp()
                                      : owner);
    };
    RewritePatternSet collapse(&getContext());
    linalg::populateFoldReshapeOpsByCollapsingPatterns(collapse, mayCollapse);
    FailureOr<unsigned> collapsed = apply(std::move(collapse));
    if (failed(collapsed))
      return signalPassFailure();
    numCollapsed += *collapsed;

    // A product with one row keeps its rank, so what follows it must have the
    // unit dimension as well.
    linalg::ControlFusionFn mayExpand = [](OpOperand *operand) {
      if (!isElementwiseGeneric(operand->getOwner()))
        return false;
      Value source = behindUnitCollapse(operand->get());
      return source && comesFromContraction(source);
    };
    RewritePatternSet expand(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(expand, mayExpand);
    FailureOr<unsigned> expanded = apply(std::move(expand));
    if (failed(expanded))
      return signalPassFailure();
    numExpanded += *expanded;
  }
};
} // namespace
