//===- FuseElementwise.cpp - fuse chains of elementwise generics ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskGroups.h"

#include "pruner/Recognition/OpClass.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

namespace {
/// Visits a block from top to bottom, so the producers of an op are already
/// fused when the op is visited.
class ChainFuser {
public:
  ChainFuser(RewriterBase &rewriter, Block &block, FusedCounts &counts)
      : rewriter(rewriter), block(block), counts(counts) {}

  void run() {
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
        reshapeBytes(&op);
    SmallVector<linalg::GenericOp> ops;
    for (Operation &op : block)
      if (isElementwisePart(&op))
        ops.push_back(cast<linalg::GenericOp>(op));
    for (linalg::GenericOp op : ops) {
      op = takePostponed(dedupe(op));
      OpOperand *bytes = findFusable(op);
      if (bytes && owner.lookup(bytes->get().getDefiningOp()) &&
          dequantizes(op)) {
        postponed.insert(op);
        owner[op] = ownerOf(op);
      } else {
        fuseProducers(op);
      }
    }
    for (linalg::GenericOp op : llvm::to_vector(postponed))
      if (!isReadByAnchor(op))
        fuseProducers(op);
    fuseGathers();
  }

private:
  void fuseProducers(linalg::GenericOp op) {
    postponed.remove(op);
    while (OpOperand *operand = findFusable(op)) {
      linalg::GenericOp fused = fuse(op, operand);
      if (!fused)
        break;
      op = dedupe(fused);
    }
    owner[op] = ownerOf(op);
  }

  //===--- dequantization -------------------------------------------------===//
  // The bytes that an epilogue quantizes are dequantized for their only reader.
  // The reals would take four times the memory, so the task stores the bytes if
  // a later task can dequantize them.

  /// The operand with as many elements as the result, if it is the only one.
  OpOperand *onlyLargeOperand(linalg::GenericOp op) {
    OpOperand *large = nullptr;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type || type.getNumElements() != numPoints(op))
        continue;
      if (large)
        return nullptr;
      large = operand;
    }
    return large;
  }

  static bool onlyScales(linalg::GenericOp op) {
    return llvm::all_of(op.getBody()->without_terminator(), [](Operation &in) {
      return isa<arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
                 arith::UIToFPOp, arith::SubIOp, arith::SubFOp, arith::AddFOp,
                 arith::MulFOp>(in);
    });
  }

  /// True if `op` converts bytes to floats, by a scale and a zero point.
  bool dequantizes(linalg::GenericOp op) {
    OpOperand *bytes = onlyLargeOperand(op);
    return bytes && op->hasOneUse() && onlyScales(op) &&
           getElementTypeOrSelf(bytes->get().getType()).isInteger(8) &&
           isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  }

  /// Moves a reshape of dequantized bytes before the dequantization, whose
  /// reader can then take it.
  void reshapeBytes(Operation *reshape) {
    if (!reshape->hasOneUse() || !isElementwisePart(*reshape->user_begin()))
      return;
    SmallVector<linalg::GenericOp> steps;
    Value value = reshape->getOperand(0);
    while (!getElementTypeOrSelf(value).isInteger(8)) {
      auto step = value.getDefiningOp<linalg::GenericOp>();
      if (!step || step->getBlock() != &block || !isElementwisePart(step) ||
          !step->hasOneUse() || step.getNumDpsInputs() != 1 ||
          !onlyScales(step) ||
          !llvm::all_of(step.getIndexingMapsArray(),
                        [](AffineMap map) { return map.isIdentity(); }))
        return;
      steps.push_back(step);
      value = step.getDpsInputs()[0];
    }
    if (steps.empty())
      return;
    auto shaped = cast<RankedTensorType>(reshape->getResult(0).getType());
    rewriter.setInsertionPoint(reshape);
    Operation *bytes = rewriter.clone(*reshape);
    bytes->setOperand(0, value);
    bytes->getResult(0).setType(shaped.clone(getElementTypeOrSelf(value)));
    value = bytes->getResult(0);
    for (linalg::GenericOp step : llvm::reverse(steps)) {
      Type element = getElementTypeOrSelf(step->getResult(0).getType());
      Value empty = tensor::EmptyOp::create(rewriter, step.getLoc(),
                                            shaped.getShape(), element);
      SmallVector<AffineMap> maps(
          2, rewriter.getMultiDimIdentityMap(shaped.getRank()));
      SmallVector<utils::IteratorType> kinds(shaped.getRank(),
                                             utils::IteratorType::parallel);
      auto moved = linalg::GenericOp::create(
          rewriter, step.getLoc(), empty.getType(), value, empty, maps, kinds);
      rewriter.cloneRegionBefore(step->getRegion(0), moved.getRegion(),
                                 moved.getRegion().end());
      value = moved->getResult(0);
    }
    rewriter.replaceOp(reshape, value);
    for (linalg::GenericOp step : steps)
      erase(step);
  }

  /// Decides about dequantizations that were postponed until their reader is
  /// known. Returns the op that replaces `op`.
  linalg::GenericOp takePostponed(linalg::GenericOp op) {
    for (bool changed = true; changed;) {
      changed = false;
      for (OpOperand *operand : op.getDpsInputOperands()) {
        auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
        if (!producer || !postponed.contains(producer))
          continue;
        // Several ops may dequantize in steps. An op that belongs to a later
        // task fuses it as any other producer; see findFusable.
        bool isStep = operand == onlyLargeOperand(op) && onlyScales(op) &&
                      linalg::areElementwiseOpsFusable(operand);
        if (!isStep && numPoints(producer) == numPoints(op) &&
            isLater(ownerOf(op), owner.lookup(producer))) {
          postponed.remove(producer);
          owner.erase(producer);
          continue;
        }
        if (!isStep) {
          fuseProducers(producer);
        } else if (linalg::GenericOp fused = fuse(op, operand)) {
          op = dedupe(fused);
        } else {
          fuseProducers(producer);
        }
        changed = true;
        break;
      }
    }
    return op;
  }

  static bool isLater(Operation *mine, Operation *theirs) {
    return mine && theirs && theirs != mine && theirs->isBeforeInBlock(mine);
  }

  /// True if the result is only read by an anchor, possibly padded.
  static bool isReadByAnchor(linalg::GenericOp op) {
    if (!op->hasOneUse())
      return false;
    Operation *reader = *op->user_begin();
    if (isa<tensor::PadOp>(reader) && reader->hasOneUse())
      reader = *reader->user_begin();
    return isAnchor(reader);
  }

  /// True for elementwise work that reads tensors at computed indices. Such
  /// work is not a task.
  static bool isGather(Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic && classify(generic).why.category == "gather" &&
           generic.getNumParallelLoops() == generic.getNumLoops() &&
           generic.hasPureTensorSemantics() && !generic.hasDynamicShape() &&
           generic.getNumResults() == 1;
  }

  /// Interpolation gathers each of the corners, and an embedding each of its
  /// tables, and then adds them. Fusing makes one op outside of the tasks
  /// instead of several and a task that reads their results. Ops that could be
  /// part of an anchor's task are not fused.
  void fuseGathers() {
    SmallVector<linalg::GenericOp> ops;
    for (Operation &op : block)
      if (isGather(&op) || (isElementwisePart(&op) && !owner.lookup(&op)))
        ops.push_back(cast<linalg::GenericOp>(op));
    for (linalg::GenericOp op : ops)
      while (OpOperand *operand = findGather(op)) {
        linalg::GenericOp fused = fuse(op, operand);
        if (!fused)
          break;
        op = dedupe(fused);
      }
  }

  OpOperand *findGather(linalg::GenericOp op) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Operation *producer = operand->get().getDefiningOp();
      if (producer && producer->getBlock() == &block && producer->hasOneUse() &&
          isGather(producer) &&
          numPoints(cast<linalg::LinalgOp>(producer)) == numPoints(op) &&
          linalg::areElementwiseOpsFusable(operand))
        return operand;
    }
    return nullptr;
  }

  /// The last contraction whose result reaches `op` through elementwise ops
  /// that keep every point and have no other reader. `op` could be part of its
  /// epilogue.
  Operation *ownerOf(linalg::GenericOp op) {
    Operation *last = nullptr;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Operation *producer = operand->get().getDefiningOp();
      if (!producer || producer->getBlock() != &block ||
          !producer->hasOneUse() ||
          !op.getMatchingIndexingMap(operand).isPermutation())
        continue;
      Operation *candidate =
          isAnchor(producer) ? producer : owner.lookup(producer);
      if (candidate && (!last || last->isBeforeInBlock(candidate)))
        last = candidate;
    }
    return last;
  }

  OpOperand *findFusable(linalg::GenericOp op) {
    Operation *mine = ownerOf(op);
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
      if (!producer || producer->getBlock() != &block ||
          !isElementwisePart(producer) ||
          !linalg::areElementwiseOpsFusable(operand))
        continue;
      if (isPureCopy(producer) || isCheaperThanItsResult(producer))
        return operand;
      // All others are fused only if no point is computed twice.
      if (!producer->hasOneUse() || numPoints(producer) != numPoints(op))
        continue;
      Operation *theirs = owner.lookup(producer);
      if (!theirs || theirs == mine)
        return operand;
    }
    return nullptr;
  }

  /// Returns the op that replaces `consumer`, or null if nothing was fused.
  linalg::GenericOp fuse(linalg::GenericOp consumer, OpOperand *operand) {
    Operation *producer = operand->get().getDefiningOp();
    unsigned count = counts.lookup(consumer) + counts.lookup(producer) + 1;
    rewriter.setInsertionPoint(consumer);
    if (!producer->hasOneUse()) {
      // Fusing a producer with other readers would turn its result into a
      // second one of the fused op, so fuse a private copy.
      Operation *clone = rewriter.clone(*producer);
      rewriter.modifyOpInPlace(consumer,
                               [&] { operand->set(clone->getResult(0)); });
      producer = clone;
    }
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, operand);
    if (failed(fused))
      return {};
    rewriter.replaceAllUsesWith(
        consumer->getResult(0),
        fused->replacements.lookup(consumer->getResult(0)));
    erase(consumer);
    erase(producer);
    counts[fused->fusedOp] = count;
    return cast<linalg::GenericOp>(fused->fusedOp);
  }

  /// Merges operands of fused ops that read the same tensor.
  linalg::GenericOp dedupe(linalg::GenericOp op) {
    unsigned count = counts.lookup(op);
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::GenericOp> result =
        linalg::deduplicateOperandsAndRemoveDeadResults(
            rewriter, op, /*removeOutputs=*/false);
    if (failed(result) || *result == op)
      return op;
    forget(op); // Replaced and erased, so only its address is valid.
    counts[*result] = count;
    return *result;
  }

  void erase(Operation *op) {
    forget(cast<linalg::GenericOp>(op));
    rewriter.eraseOp(op);
  }

  /// Uses nothing of the op but its address.
  void forget(linalg::GenericOp op) {
    postponed.remove(op);
    owner.erase(op);
    counts.erase(op);
  }

  RewriterBase &rewriter;
  Block &block;
  FusedCounts &counts;
  DenseMap<Operation *, Operation *> owner;
  llvm::SetVector<linalg::GenericOp> postponed;
};
} // namespace

void pruner::fuseElementwiseChains(RewriterBase &rewriter, Block &block,
                                   FusedCounts &counts) {
  ChainFuser(rewriter, block, counts).run();
  // Copies that have been fused into every reader.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<linalg::GenericOp>(op) && op.use_empty() &&
        isElementwisePart(&op)) {
      counts.erase(&op);
      rewriter.eraseOp(&op);
    }
}
