//===- AbsorbTransposes.cpp - contractions read through their maps ------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ABSORBTRANSPOSES
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// copy[i] = source[map(i)], where `map` is a projected permutation.
struct CopyOf {
  Value source;
  AffineMap map;
};
} // namespace

/// What `op` copies, if all it does is to permute or broadcast one tensor.
static std::optional<CopyOf> matchCopy(Operation *op) {
  auto copy = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!copy || !copy.hasPureTensorSemantics() || copy.getNumDpsInputs() != 1 ||
      copy.getNumDpsInits() != 1 ||
      copy.getNumParallelLoops() != copy.getNumLoops())
    return std::nullopt;
  Block *body = copy.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body->getTerminator());
  if (!yield || !llvm::hasSingleElement(*body) ||
      yield.getOperand(0) != body->getArgument(0))
    return std::nullopt;
  OpOperand *input = copy.getDpsInputOperand(0);
  AffineMap in = copy.getMatchingIndexingMap(input);
  AffineMap out = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  if (!isa<RankedTensorType>(input->get().getType()) ||
      !in.isProjectedPermutation() || !out.isPermutation())
    return std::nullopt;
  return CopyOf{input->get(), in.compose(inversePermutation(out))};
}

/// Whether `op`, a named product, can read its input number `input` through
/// `map`: matmul takes either order of its two dimensions, batch_matmul wants
/// the batch first.
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
struct AbsorbTransposes : pruner::impl::AbsorbTransposesBase<AbsorbTransposes> {
  /// Absorbs every copy behind one input of `op`. Returns the op that now
  /// stands for it.
  linalg::LinalgOp absorb(IRRewriter &rewriter, linalg::LinalgOp op,
                          unsigned input) {
    while (true) {
      OpOperand *operand = op.getDpsInputOperand(input);
      std::optional<CopyOf> copy = matchCopy(operand->get().getDefiningOp());
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
