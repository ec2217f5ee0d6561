//===- TaskGroups.cpp - which ops become one task -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskGroups.h"
#include "Classify.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pruner;

linalg::LinalgOp TaskGroup::last() const {
  if (!epilogue)
    return anchor;
  return cast<linalg::LinalgOp>(static_cast<Operation *>(epilogue));
}

SmallVector<linalg::LinalgOp> TaskGroup::ops() const {
  SmallVector<linalg::LinalgOp> all;
  for (linalg::GenericOp prologue : prologues)
    all.push_back(prologue);
  if (anchor)
    all.push_back(anchor);
  if (epilogue)
    all.push_back(epilogue);
  return all;
}

/// Reorders the loops of `op` so that `map`, a permutation, becomes the
/// identity.
static void orderLoopsBy(RewriterBase &rewriter, linalg::GenericOp op,
                         AffineMap map) {
  if (map.isIdentity())
    return;
  SmallVector<unsigned> order;
  for (unsigned i = 0, e = map.getNumResults(); i < e; ++i)
    order.push_back(map.getDimPosition(i));
  rewriter.setInsertionPoint(op);
  // In place; fails only for what is no permutation.
  (void)linalg::interchangeGenericOp(rewriter, op, order);
}

static AffineMap outputMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

/// How often the contraction reads each element of an input.
static int64_t reuseOf(linalg::LinalgOp anchor, OpOperand *input) {
  AffineMap map = anchor.getMatchingIndexingMap(input);
  int64_t reuse = 1;
  SmallVector<int64_t> extents = anchor.getStaticLoopRanges();
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (!map.isFunctionOfDim(dim))
      reuse *= extents[dim];
  return reuse;
}

/// Whether `op` may run again for every tile that reads its result: at most
/// four additions, multiplications, comparisons, minima or maxima a point.
static bool isCheap(linalg::GenericOp op) {
  constexpr int64_t maxFlopsPerPoint = 4;
  for (Operation &inner : *op.getBlock())
    if (isa<arith::DivFOp>(inner) ||
        isa_and_nonnull<math::MathDialect>(inner.getDialect()))
      return false;
  return numFlops(op) <= maxFlopsPerPoint * numPoints(op);
}

namespace {
class GroupFormer {
public:
  GroupFormer(RewriterBase &rewriter, Block &block)
      : rewriter(rewriter), block(block) {}

  SmallVector<TaskGroup> run(bool elementwise, int64_t minElements) {
    SmallVector<linalg::LinalgOp> anchors;
    for (Operation &op : block)
      if (isAnchor(&op))
        anchors.push_back(cast<linalg::LinalgOp>(op));
    SmallVector<TaskGroup> groups;
    // From the last to the first: of two contractions that could own an
    // epilogue, the later one finds the other's result ready.
    for (linalg::LinalgOp anchor : llvm::reverse(anchors)) {
      groups.emplace_back();
      groups.back().anchor = anchor;
      groups.back().epilogue = takeEpilogue(anchor);
    }
    for (TaskGroup &group : groups)
      for (OpOperand *input : group.anchor.getDpsInputOperands())
        if (linalg::GenericOp prologue = takePrologue(group.anchor, input))
          group.prologues.push_back(prologue);
    if (elementwise)
      for (Operation &op : block)
        if (isElementwisePart(&op) && !taken.contains(&op) &&
            numPoints(cast<linalg::LinalgOp>(op)) >= minElements) {
          groups.emplace_back();
          groups.back().epilogue = cast<linalg::GenericOp>(op);
          orderLoopsBy(rewriter, groups.back().epilogue,
                       outputMap(groups.back().epilogue));
        }
    llvm::sort(groups, [](const TaskGroup &a, const TaskGroup &b) {
      return a.last()->isBeforeInBlock(b.last());
    });
    return groups;
  }

private:
  linalg::GenericOp takeEpilogue(linalg::LinalgOp anchor) {
    Value result = anchor->getResult(0);
    if (!result.hasOneUse())
      return {};
    OpOperand &use = *result.getUses().begin();
    Operation *reader = use.getOwner();
    if (reader->getBlock() != &block || !isElementwisePart(reader) ||
        taken.contains(reader))
      return {};
    auto epilogue = cast<linalg::GenericOp>(reader);
    AffineMap map = epilogue.getMatchingIndexingMap(&use);
    if (!map.isPermutation() || !epilogue.isDpsInput(&use))
      return {};
    taken.insert(epilogue);
    orderLoopsBy(rewriter, epilogue, map);
    return epilogue;
  }

  linalg::GenericOp takePrologue(linalg::LinalgOp anchor, OpOperand *input) {
    auto prologue = input->get().getDefiningOp<linalg::GenericOp>();
    if (!prologue || prologue->getBlock() != &block || !prologue->hasOneUse() ||
        !isElementwisePart(prologue) || taken.contains(prologue))
      return {};
    if (!isCheap(prologue) && reuseOf(anchor, input) != 1)
      return {};
    taken.insert(prologue);
    orderLoopsBy(rewriter, prologue, outputMap(prologue));
    return prologue;
  }

  RewriterBase &rewriter;
  Block &block;
  llvm::SmallPtrSet<Operation *, 16> taken;
};
} // namespace

SmallVector<TaskGroup> pruner::formGroups(RewriterBase &rewriter, Block &block,
                                          bool elementwise,
                                          int64_t minElements) {
  return GroupFormer(rewriter, block).run(elementwise, minElements);
}
