//===- TaskGroups.cpp - which ops become one task -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskGroups.h"
#include "Classify.h"
#include "Describe.h"

#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pruner;

linalg::LinalgOp TaskGroup::last() const {
  if (!chain.empty())
    return chain.back();
  if (!epilogue)
    return anchor;
  return cast<linalg::LinalgOp>(static_cast<Operation *>(epilogue));
}

SmallVector<Operation *> TaskGroup::ops() const {
  SmallVector<Operation *> all(chain.begin(), chain.end());
  for (const TaskInput &input : inputs) {
    if (input.prologue)
      all.push_back(input.prologue);
    if (input.pad)
      all.push_back(input.pad);
  }
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

/// By how much `expr`, which is linear, grows with one step of loop `dim`.
static int64_t stepOf(AffineExpr expr, unsigned dim, unsigned numDims) {
  auto at = [&](int64_t position) {
    SmallVector<AffineExpr> point(numDims,
                                  getAffineConstantExpr(0, expr.getContext()));
    point[dim] = getAffineConstantExpr(position, expr.getContext());
    AffineExpr value = simplifyAffineExpr(expr.replaceDims(point), 0, 0);
    return cast<AffineConstantExpr>(value).getValue();
  };
  return at(1) - at(0);
}

/// How often the anchor reads each element of an input, rounded up: the points
/// of its loops over the largest number of different coordinates.
static int64_t reuseOf(linalg::LinalgOp anchor, OpOperand *input) {
  AffineMap map = anchor.getMatchingIndexingMap(input);
  SmallVector<int64_t> extents = anchor.getStaticLoopRanges();
  int64_t reuse = 1;
  for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
    if (!map.isFunctionOfDim(dim))
      reuse *= extents[dim];
  for (AffineExpr coordinate : map.getResults()) {
    int64_t points = 1, last = 0;
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim) {
      if (!coordinate.isFunctionOfDim(dim))
        continue;
      points *= extents[dim];
      // Linear in each loop: the distance that the whole loop covers.
      last += stepOf(coordinate, dim, map.getNumDims()) * (extents[dim] - 1);
    }
    reuse *= llvm::divideCeil(points, last + 1);
  }
  return reuse;
}

/// Whether `op` may run again for every tile that reads its result: at most
/// six additions, multiplications, comparisons, minima or maxima a point. A
/// batch norm with its activation takes five.
static bool isCheap(linalg::GenericOp op) {
  constexpr int64_t maxFlopsPerPoint = 6;
  for (Operation &inner : *op.getBlock())
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
            arith::RemUIOp>(inner) ||
        isa_and_nonnull<math::MathDialect>(inner.getDialect()))
      return false;
  return numFlops(op) <= mulSizes(maxFlopsPerPoint, numPoints(op));
}

/// Whether all `op` does is to widen each number where it stands: a tensor with
/// fewer bytes holds the same numbers.
static bool isWideningCast(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && isPureCopy(op) &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)) == outputMap(op);
}

/// Products are always tasks; a call of anything else must save more than it
/// costs.
static bool isWorthTask(linalg::LinalgOp anchor, int64_t minElements) {
  return numPoints(anchor) >= minElements || describeAnchor(anchor).isHeavy();
}

namespace {
class GroupFormer {
public:
  GroupFormer(RewriterBase &rewriter, Block &block)
      : rewriter(rewriter), block(block) {}

  SmallVector<TaskGroup> run(bool elementwise, int64_t minElements) {
    SmallVector<linalg::LinalgOp> anchors;
    for (Operation &op : block)
      if (isAnchor(&op) && isWorthTask(cast<linalg::LinalgOp>(op), minElements))
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
      for (OpOperand *input : group.anchor.getDpsInputOperands()) {
        TaskInput before = takeInput(group.anchor, input);
        if (before.prologue || before.pad)
          group.inputs.push_back(before);
      }
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

  TaskInput takeInput(linalg::LinalgOp anchor, OpOperand *input) {
    TaskInput result;
    if (!anchor.payloadUsesValueFromOperand(input))
      return result;
    OpOperand *read = input;
    bool isShared = false;
    auto pad = input->get().getDefiningOp<tensor::PadOp>();
    if (pad && isFoldablePad(pad)) {
      result.pad = pad;
      read = &pad.getSourceMutable();
      // Another reader of the padded tensor reads the prologue's result, too.
      isShared = !pad->hasOneUse();
    }
    auto prologue = read->get().getDefiningOp<linalg::GenericOp>();
    if (!prologue || prologue->getBlock() != &block ||
        !isElementwisePart(prologue) || taken.contains(prologue))
      return result;
    isShared |= !prologue->hasOneUse();
    if (isShared && !isWideningCast(prologue))
      return result;
    if (!isCheap(prologue) && reuseOf(anchor, input) != 1)
      return result;
    if (isShared) {
      rewriter.setInsertionPoint(result.pad ? result.pad.getOperation()
                                            : anchor.getOperation());
      prologue = cast<linalg::GenericOp>(rewriter.clone(*prologue));
      if (result.pad && !result.pad->hasOneUse()) {
        result.pad = cast<tensor::PadOp>(rewriter.clone(*result.pad));
        rewriter.modifyOpInPlace(anchor, [&] { input->set(result.pad); });
        read = &result.pad.getSourceMutable();
      }
      rewriter.modifyOpInPlace(read->getOwner(),
                               [&] { read->set(prologue->getResult(0)); });
    }
    taken.insert(prologue);
    orderLoopsBy(rewriter, prologue, outputMap(prologue));
    result.prologue = prologue;
    return result;
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
