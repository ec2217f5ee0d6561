//===- AbsorbTransposes.cpp - read transposed operands through maps -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchCopy.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ABSORBTRANSPOSESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// True if the named product `op` can read its input number `input` through
/// `map`. matmul supports either order of its two dimensions; batch_matmul
/// requires the batch first.
static bool namedOpTakes(Operation *op, unsigned input, AffineMap map) {
  unsigned first = isa<linalg::BatchMatmulOp>(op) ? 1 : 0;
  if (map.getNumResults() != first + 2 || (first && map.getDimPosition(0) != 0))
    return false;
  unsigned outer = first + (input == 0 ? 0 : 1), inner = first + 2;
  unsigned x = map.getDimPosition(first), y = map.getDimPosition(first + 1);
  return (x == outer && y == inner) || (x == inner && y == outer);
}

/// Whether `maps` (two inputs, one output) still describe a contraction whose
/// every loop is a batch, row, column or reduction dimension. Reading a
/// broadcast through the map may drop the reduction from an operand.
static bool isContraction(ArrayRef<AffineMap> maps) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(maps);
  return succeeded(dims) && dims->batch.size() + dims->m.size() +
                                    dims->n.size() + dims->k.size() ==
                                maps[0].getNumDims();
}

namespace {
struct AbsorbTransposes
    : pruner::impl::AbsorbTransposesPassBase<AbsorbTransposes> {
  /// Absorbs every copy behind one input of `op`. Returns the op that replaces
  /// `op`.
  linalg::LinalgOp absorb(IRRewriter &rewriter, linalg::LinalgOp op,
                          unsigned input) {
    while (true) {
      OpOperand *operand = op.getDpsInputOperand(input);
      std::optional<pruner::CopyOf> copy =
          pruner::matchCopy(operand->get().getDefiningOp());
      if (!copy)
        return op;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[input] = copy->map.compose(maps[input]);
      if (!isContraction(maps))
        return op;
      if (!isa<linalg::GenericOp>(op) &&
          !namedOpTakes(op, input, maps[input])) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> generic =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(generic))
          return op;
        op = *generic;
        ++numGeneralized;
      }
      rewriter.modifyOpInPlace(op, [&] {
        op.getDpsInputOperand(input)->set(copy->source);
        op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
      });
      ++numAbsorbed;
    }
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() &&
          isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::GenericOp>(op) &&
          linalg::isaContractionOpInterface(op))
        contractions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : contractions)
      for (unsigned input : {0u, 1u})
        op = absorb(rewriter, op, input);
  }
};
} // namespace
