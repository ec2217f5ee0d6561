//===- MoveReshapes.cpp - move reshapes that prevent fusion ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchProduct.h"
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

/// Only all-parallel generics may lose rank. A product or reduction of another
/// rank would not be recognized.
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

/// True if `operand` is the only input of a reduction that reduces none of the
/// dimensions that `collapse` merges.
static bool reducesWholeDims(OpOperand *operand,
                             tensor::CollapseShapeOp collapse) {
  auto op = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      !op.isDpsInput(operand))
    return false;
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!map.isPermutation())
    return false;
  auto kinds = op.getIteratorTypesArray();
  return llvm::all_of(llvm::enumerate(collapse.getReassociationIndices()),
                      [&](auto group) {
                        unsigned loop = map.getDimPosition(group.index());
                        return group.value().size() == 1 ||
                               linalg::isParallelIterator(kinds[loop]);
                      });
}

/// True if an elementwise generic or a reduction that reads a collapse_shape
/// through `operand` may take the rank before it. An expand_shape may move
/// before the pad that it reads, and before elementwise work on a factor of a
/// contraction, so that both can be fused.
static bool mayExpand(OpOperand *operand) {
  Operation *owner = operand->getOwner();
  if (isa<tensor::ExpandShapeOp>(owner)) {
    Operation *producer = operand->get().getDefiningOp();
    return isa_and_nonnull<tensor::PadOp>(producer) ||
           (isElementwiseGeneric(producer) && producer->hasOneUse() &&
            !followsReduction(producer) &&
            pruner::leadsToContraction(owner->getResult(0)));
  }
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || !comesFromReduction(collapse.getSrc()))
    return false;
  return isElementwiseGeneric(owner) ? !followsReduction(owner, operand)
                                     : reducesWholeDims(operand, collapse);
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

    // A product keeps its rank, so ops after it take that rank as well.
    RewritePatternSet expand(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(expand, mayExpand);
    FailureOr<unsigned> expanded = apply(std::move(expand));
    if (failed(expanded))
      return signalPassFailure();
    numExpanded += *expanded;
  }
};
} // namespace
