//===- RowChains.cpp - softmax, norms and similar chains ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowChains.h"

#include "pruner/Recognition/AnchorKind.h"
#include "pruner/Recognition/OpClass.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace pruner;

namespace {

/// Grows one chain from its first reduction.
class Chain {
public:
  Chain(linalg::LinalgOp first, Block &block)
      : block(block), points(numPoints(first)), rows(elements(first)) {
    add(first);
  }

  bool grow(const llvm::SmallPtrSetImpl<Operation *> &taken) {
    for (bool grown = true; grown;) {
      grown = false;
      for (Operation &op : block)
        if (!ops.contains(&op) && !taken.contains(&op) &&
            (isConsumer(&op) || isSibling(&op) || feedsChain(&op))) {
          add(cast<linalg::LinalgOp>(op));
          grown = true;
        }
    }
    return isComplete();
  }

  SmallVector<linalg::LinalgOp> inOrder() const {
    SmallVector<linalg::LinalgOp> sorted;
    for (Operation *op : ops)
      sorted.push_back(cast<linalg::LinalgOp>(op));
    llvm::sort(sorted, [](linalg::LinalgOp a, linalg::LinalgOp b) {
      return a->isBeforeInBlock(b);
    });
    return sorted;
  }

private:
  static int64_t elements(linalg::LinalgOp op) {
    return cast<RankedTensorType>(op->getResult(0).getType()).getNumElements();
  }

  void add(linalg::LinalgOp op) {
    ops.insert(op);
    (elements(op) == rows ? perRow : wide).insert(op->getResult(0));
  }

  bool isReduction(linalg::LinalgOp op) const {
    return isAnchor(op) && numPoints(op) == points && elements(op) == rows;
  }

  bool reads(linalg::LinalgOp op,
             const llvm::SmallPtrSetImpl<Value> &values) const {
    return llvm::any_of(op.getDpsInputs(),
                        [&](Value value) { return values.contains(value); });
  }

  /// True if `candidate` uses a result of the chain that has one element per
  /// row.
  bool isConsumer(Operation *candidate) const {
    auto op = dyn_cast<linalg::LinalgOp>(candidate);
    if (!op)
      return false;
    if (isElementwisePart(op))
      return (reads(op, perRow) &&
              (numPoints(op) == points || numPoints(op) == rows)) ||
             preparesReduction(op);
    return isReduction(op) && (reads(op, perRow) || reads(op, wide));
  }

  /// True for work along the rows that only reductions read, such as the
  /// squares of a variance.
  bool preparesReduction(linalg::LinalgOp op) const {
    return numPoints(op) == points && reads(op, wide) && !op->use_empty() &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             auto reduction = dyn_cast<linalg::LinalgOp>(user);
             return reduction && isReduction(reduction);
           });
  }

  /// True for a reduction whose result is only used by ops of the chain.
  bool isSibling(Operation *candidate) const {
    auto op = dyn_cast<linalg::LinalgOp>(candidate);
    return op && isReduction(op) && !op->use_empty() &&
           llvm::all_of(op->getUsers(),
                        [&](Operation *user) { return ops.contains(user); });
  }

  /// True for elementwise work that only ops of the chain read. It is either
  /// once per row (computed from another reduction's result), or along the rows
  /// and read only by reductions (a conversion to a wider type). Other work
  /// along the rows may fit better after the product that it follows.
  bool feedsChain(Operation *candidate) const {
    auto op = dyn_cast<linalg::LinalgOp>(candidate);
    return op && isElementwisePart(op) && !op->use_empty() &&
           (numPoints(op) == rows || numPoints(op) == points) &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             return ops.contains(user) &&
                    (numPoints(op) == rows ||
                     isReduction(cast<linalg::LinalgOp>(user)));
           });
  }

  bool isComplete() const {
    SmallVector<linalg::LinalgOp> sorted = inOrder();
    linalg::LinalgOp last = sorted.back();
    if (sorted.size() < 2 || !isElementwisePart(last) ||
        numPoints(last) != points)
      return false;
    return llvm::all_of(sorted, [&](linalg::LinalgOp op) {
      return op == last || llvm::all_of(op->getUsers(), [&](Operation *user) {
               return ops.contains(user);
             });
    });
  }

  Block &block;
  int64_t points, rows;
  llvm::SmallSetVector<Operation *, 8> ops;
  /// Results of the chain with one element per row, and along the rows.
  llvm::SmallPtrSet<Value, 8> perRow, wide;
};

} // namespace

/// True if `op` reduces rows and is not a product of two tensors.
static bool startsChain(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && isAnchor(op) &&
         !linalg::isaContractionOpInterface(linalgOp) &&
         !linalg::isaConvolutionOpInterface(linalgOp) &&
         llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
           return map.isProjectedPermutation();
         });
}

SmallVector<SmallVector<linalg::LinalgOp>>
pruner::findRowChains(Block &block, int64_t minElements) {
  SmallVector<SmallVector<linalg::LinalgOp>> chains;
  llvm::SmallPtrSet<Operation *, 16> taken;
  for (Operation &op : block) {
    if (taken.contains(&op) || !startsChain(&op) ||
        numPoints(cast<linalg::LinalgOp>(op)) < minElements)
      continue;
    Chain chain(cast<linalg::LinalgOp>(op), block);
    if (!chain.grow(taken))
      continue;
    chains.push_back(chain.inOrder());
    for (linalg::LinalgOp part : chains.back())
      taken.insert(part);
  }
  return chains;
}

/// An input of the reduction `op` that an elementwise op of `chain` computes
/// only for it, or null.
static OpOperand *findOwnInput(linalg::GenericOp op,
                               ArrayRef<linalg::LinalgOp> chain) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
    if (producer && producer->hasOneUse() && isElementwisePart(producer) &&
        llvm::is_contained(chain, linalg::LinalgOp(producer)) &&
        numPoints(producer) == numPoints(op) &&
        // Products of two tensors are tiled differently.
        !matchProduct(producer.getBody()->getTerminator()->getOperand(0)) &&
        linalg::areElementwiseOpsFusable(operand))
      return operand;
  }
  return nullptr;
}

void pruner::fuseIntoReductions(RewriterBase &rewriter,
                                SmallVectorImpl<linalg::LinalgOp> &chain) {
  for (size_t n = 0; n < chain.size(); ++n) {
    auto reduction = dyn_cast<linalg::GenericOp>(chain[n].getOperation());
    if (!reduction || !isAnchor(reduction))
      continue;
    while (OpOperand *operand = findOwnInput(reduction, chain)) {
      Operation *producer = operand->get().getDefiningOp();
      rewriter.setInsertionPoint(reduction);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        break;
      auto place =
          llvm::find(chain, linalg::LinalgOp(cast<linalg::LinalgOp>(producer)));
      n -= size_t(place - chain.begin()) < n;
      chain.erase(place);
      rewriter.replaceOp(reduction,
                         fused->replacements.lookup(reduction->getResult(0)));
      rewriter.eraseOp(producer);
      reduction = cast<linalg::GenericOp>(fused->fusedOp);
      // An input that both ops read is read once.
      rewriter.setInsertionPoint(reduction);
      FailureOr<linalg::GenericOp> single =
          linalg::deduplicateOperandsAndRemoveDeadResults(
              rewriter, reduction, /*removeOutputs=*/false);
      if (succeeded(single))
        reduction = *single;
      chain[n] = cast<linalg::LinalgOp>(reduction.getOperation());
    }
  }
}
