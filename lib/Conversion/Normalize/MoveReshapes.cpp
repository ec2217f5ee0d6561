//===- MoveReshapes.cpp - move reshapes that prevent fusion ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
#define GEN_PASS_DEF_MOVERESHAPESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Only all-parallel generics may change rank. A product or reduction of
/// another rank would not be recognized.
static bool isElementwiseGeneric(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.getNumParallelLoops() == generic.getNumLoops();
}

/// True if `op` is elementwise work on the result of a product, convolution or
/// other reduction, point by point and at its rank, so that it can be fused to
/// it. Ignores operand `except`.
static bool followsReduction(Operation *op, OpOperand *except,
                             SmallPtrSetImpl<Operation *> &seen);

/// The same for the producer of `value`, which may be a reduction itself.
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

/// True if an elementwise generic may lose the rank that a reshape gave it.
/// `operand` is either the generic's use of an expand_shape or a
/// collapse_shape's use of the generic. A reshape may also move before a pad,
/// so that the pad is next to its reader.
static bool mayCollapse(OpOperand *operand) {
  Operation *owner = operand->getOwner();
  if (isa<tensor::CollapseShapeOp>(owner)) {
    Operation *producer = operand->get().getDefiningOp();
    return isa_and_nonnull<tensor::PadOp>(producer) ||
           (isElementwiseGeneric(producer) && !followsReduction(producer));
  }
  if (!isElementwiseGeneric(owner))
    return false;
  // If there are two reductions, the one after the reshape has priority.
  auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  return !followsReduction(owner, operand) ||
         (expand && comesFromReduction(expand.getSrc()));
}

/// True if an elementwise generic that reads a collapse_shape through `operand`
/// may take the rank before it, or if an expand_shape may move before the pad
/// that it reads.
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
/// Merges two consecutive reshapes into at most one between the same types; no
/// reshape changes the order of the elements. Upstream only merges reshapes
/// whose groups of dimensions nest. Unit dimensions may be grouped with either
/// neighbor, and groups may then overlap.
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

struct MoveReshapes : pruner::impl::MoveReshapesPassBase<MoveReshapes> {
  /// Applies `patterns` and those that merge reshapes. Returns the number of
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

    // A reduction keeps its rank, so ops after it take that rank as well.
    RewritePatternSet expand(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(expand, mayExpand);
    FailureOr<unsigned> expanded = apply(std::move(expand));
    if (failed(expanded))
      return signalPassFailure();
    numExpanded += *expanded;
  }
};
} // namespace
