//===- TaskGroups.cpp - group the ops of each task ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskGroups.h"

#include "pruner/Recognition/AnchorKind.h"
#include "pruner/Recognition/OpClass.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pruner;

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
  // In place. Fails only if `order` is not a permutation.
  (void)linalg::interchangeGenericOp(rewriter, op, order);
}

/// How often the anchor reads each element of an input, rounded up: the number
/// of points of its loops divided by the largest number of different
/// coordinates.
static int64_t reuseOf(linalg::LinalgOp anchor, OpOperand *input) {
  AccessMap map = *toAccessMap(anchor.getMatchingIndexingMap(input));
  int64_t reuse = 1;
  SmallVector<int64_t> extents = anchor.getStaticLoopRanges();
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    if (llvm::none_of(map, [&](auto &coord) { return coord.uses(dim); }))
      reuse *= extents[dim];
  for (const LinearExpr &coordinate : map) {
    int64_t points = 1, last = 0;
    for (auto [coeff, extent] : llvm::zip_equal(coordinate.coeffs, extents)) {
      points *= coeff != 0 ? extent : 1;
      last += coeff * (extent - 1);
    }
    reuse *= llvm::divideCeil(points, last + 1);
  }
  return reuse;
}

/// True if `op` may run again for every tile that reads its result: at most six
/// additions, multiplications, comparisons, minima or maxima per point. A batch
/// norm with its activation has five.
static bool isCheap(linalg::GenericOp op) {
  constexpr int64_t maxFlopsPerPoint = 6;
  for (Operation &inner : *op.getBlock())
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
            arith::RemUIOp>(inner) ||
        isa_and_nonnull<math::MathDialect>(inner.getDialect()))
      return false;
  return numFlops(op) <= mulSizes(maxFlopsPerPoint, numPoints(op));
}

/// True if `op` only widens each number in place. Its input holds the same
/// numbers in fewer bytes.
static bool isWideningCast(linalg::GenericOp op) {
  return op.getNumDpsInputs() == 1 && isPureCopy(op) &&
         op.getMatchingIndexingMap(op.getDpsInputOperand(0)) == outputMapOf(op);
}

bool pruner::isComputedAhead(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() != 0 || !isConstantTensor(op->getResult(0)))
    return false;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  const bool computes = generic && !isPureCopy(generic);
  auto bits = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  };
  const unsigned result = bits(op->getResult(0));
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    const unsigned read = bits(input->get());
    return op.getMatchingIndexingMap(input).isPermutation() &&
           (result < read || (result == read && computes));
  });
}

/// Products are always tasks. A call of anything else must save more than it
/// costs. An op that depends on constants alone is computed once and is not
/// worth tuning, and its reader treats the result as a constant.
static bool isWorthTask(linalg::LinalgOp anchor, int64_t minElements) {
  if (isConstantTensor(anchor->getResult(0)))
    return false;
  return numPoints(anchor) >= minElements || describeAnchor(anchor).isHeavy();
}

namespace {
class GroupFormer {
public:
  GroupFormer(RewriterBase &rewriter, Block &block,
              const llvm::SmallPtrSetImpl<Operation *> &chained)
      : rewriter(rewriter), block(block),
        taken(chained.begin(), chained.end()) {}

  SmallVector<GroupOps> run(bool elementwise, int64_t minElements) {
    SmallVector<linalg::LinalgOp> anchors;
    for (Operation &op : block)
      if (isAnchor(&op) && !taken.contains(&op) &&
          isWorthTask(cast<linalg::LinalgOp>(op), minElements))
        anchors.push_back(cast<linalg::LinalgOp>(op));
    // From the last to the first: if two contractions could take an epilogue,
    // it goes to the later one, which then reads the result of the earlier one.
    llvm::DenseMap<Operation *, linalg::GenericOp> epilogues;
    for (linalg::LinalgOp anchor : llvm::reverse(anchors))
      epilogues[anchor] = takeEpilogue(anchor);
    SmallVector<GroupOps> groups;
    for (linalg::LinalgOp anchor : llvm::reverse(anchors)) {
      GroupOps &group = groups.emplace_back();
      for (OpOperand *input : anchor.getDpsInputOperands())
        takeInput(anchor, input, group);
      group.insert(anchor);
      if (linalg::GenericOp epilogue = epilogues[anchor])
        group.insert(epilogue);
    }
    if (elementwise)
      for (Operation &op : block)
        if (isElementwisePart(&op) && !taken.contains(&op) &&
            !isComputedAhead(cast<linalg::LinalgOp>(op)) &&
            numPoints(cast<linalg::LinalgOp>(op)) >= minElements) {
          groups.emplace_back().insert(&op);
          auto generic = cast<linalg::GenericOp>(op);
          orderLoopsBy(rewriter, generic, outputMapOf(generic));
        }
    llvm::sort(groups, [](const GroupOps &a, const GroupOps &b) {
      return a.back()->isBeforeInBlock(b.back());
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

  /// Adds the producers of `input` to the group of `anchor`.
  void takeInput(linalg::LinalgOp anchor, OpOperand *input, GroupOps &group) {
    if (!anchor.payloadUsesValueFromOperand(input))
      return;
    auto pad = input->get().getDefiningOp<tensor::PadOp>();
    if (pad && findObstacle(pad))
      pad = nullptr;
    OpOperand *read = pad ? &pad.getSourceMutable() : input;
    if (linalg::GenericOp prologue = takePrologue(anchor, input, read, pad))
      group.insert(prologue);
    if (pad)
      group.insert(pad);
  }

  /// The op that computes `read`, if it may run again wherever `anchor` reads
  /// `input`. If its result has other readers, also through `pad`, `anchor`
  /// gets copies of the op and the pad if that is worthwhile.
  linalg::GenericOp takePrologue(linalg::LinalgOp anchor, OpOperand *input,
                                 OpOperand *read, tensor::PadOp &pad) {
    auto prologue = read->get().getDefiningOp<linalg::GenericOp>();
    if (!prologue || prologue->getBlock() != &block ||
        !isElementwisePart(prologue) || taken.contains(prologue) ||
        isComputedAhead(prologue))
      return {};
    bool isShared = !prologue->hasOneUse() || (pad && !pad->hasOneUse());
    if (isShared && !isWideningCast(prologue))
      return {};
    if (!isCheap(prologue) && reuseOf(anchor, input) != 1)
      return {};
    if (isShared) {
      rewriter.setInsertionPoint(pad ? pad.getOperation()
                                     : anchor.getOperation());
      prologue = cast<linalg::GenericOp>(rewriter.clone(*prologue));
      if (pad && !pad->hasOneUse()) {
        pad = cast<tensor::PadOp>(rewriter.clone(*pad));
        rewriter.modifyOpInPlace(anchor, [&] { input->set(pad); });
        read = &pad.getSourceMutable();
      }
      rewriter.modifyOpInPlace(read->getOwner(),
                               [&] { read->set(prologue->getResult(0)); });
    }
    taken.insert(prologue);
    orderLoopsBy(rewriter, prologue, outputMapOf(prologue));
    return prologue;
  }

  RewriterBase &rewriter;
  Block &block;
  llvm::SmallPtrSet<Operation *, 16> taken;
};
} // namespace

SmallVector<GroupOps>
pruner::formGroups(RewriterBase &rewriter, Block &block,
                   const llvm::SmallPtrSetImpl<Operation *> &chained,
                   bool elementwise, int64_t minElements) {
  return GroupFormer(rewriter, block, chained).run(elementwise, minElements);
}
