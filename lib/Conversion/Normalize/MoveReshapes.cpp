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

#include "llvm/ADT/SmallPtrSet.h"

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

/// Whether `op` is elementwise work upon the result of a product, convolution
/// or other reduction, point by point and at its rank: the next op of its task.
/// Operand `except` does not count.
static bool followsReduction(Operation *op, OpOperand *except,
                             SmallPtrSetImpl<Operation *> &seen);

/// The same for what computes `value`, a reduction included.
static bool comesFromReduction(Value value,
                               SmallPtrSetImpl<Operation *> &seen) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || !seen.insert(op).second)
    return false;
  return op.getNumReductionLoops() != 0 || followsReduction(op, nullptr, seen);
}

static bool followsReduction(Operation *op, OpOperand *except,
                             SmallPtrSetImpl<Operation *> &seen) {
  if (!isElementwiseGeneric(op))
    return false;
  auto generic = cast<linalg::GenericOp>(op);
  return llvm::any_of(generic.getDpsInputOperands(), [&](OpOperand *input) {
    return input != except &&
           generic.getMatchingIndexingMap(input).isPermutation() &&
           comesFromReduction(input->get(), seen);
  });
}

static bool followsReduction(Operation *op, OpOperand *except = nullptr) {
  SmallPtrSet<Operation *, 8> seen;
  return followsReduction(op, except, seen);
}

static bool comesFromReduction(Value value) {
  SmallPtrSet<Operation *, 8> seen;
  return comesFromReduction(value, seen);
}

/// Whether an elementwise generic may lose the rank that a reshape took from
/// its operand or result. `operand` is the generic's read of an expand_shape,
/// or a collapse_shape's read of the generic. A reshape may also go in front of
/// a pad, which then faces what reads it.
static bool mayCollapse(OpOperand *operand) {
  Operation *owner = operand->getOwner();
  if (isa<tensor::CollapseShapeOp>(owner)) {
    Operation *producer = operand->get().getDefiningOp();
    return isa_and_nonnull<tensor::PadOp>(producer) ||
           (isElementwiseGeneric(producer) && !followsReduction(producer));
  }
  if (!isElementwiseGeneric(owner))
    return false;
  // Of two reductions, the one behind the reshape wins.
  auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  return !followsReduction(owner, operand) ||
         (expand && comesFromReduction(expand.getSrc()));
}

/// Whether an elementwise generic that reads a collapse_shape through `operand`
/// may get the rank in front of it, or an expand_shape may go in front of the
/// pad that it reads.
static bool mayExpand(OpOperand *operand) {
  Operation *owner = operand->getOwner();
  if (isa<tensor::ExpandShapeOp>(owner))
    return operand->get().getDefiningOp<tensor::PadOp>() != nullptr;
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  return collapse && isElementwiseGeneric(owner) &&
         comesFromReduction(collapse.getSrc()) &&
         !followsReduction(owner, operand);
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
    RewritePatternSet collapse(&getContext());
    linalg::populateFoldReshapeOpsByCollapsingPatterns(collapse, mayCollapse);
    FailureOr<unsigned> collapsed = apply(std::move(collapse));
    if (failed(collapsed))
      return signalPassFailure();
    numCollapsed += *collapsed;

    // A reduction keeps its rank, so what follows it gets it, too.
    RewritePatternSet expand(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(expand, mayExpand);
    FailureOr<unsigned> expanded = apply(std::move(expand));
    if (failed(expanded))
      return signalPassFailure();
    numExpanded += *expanded;
  }
};
} // namespace
