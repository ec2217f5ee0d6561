//===- OrderReference.cpp - references that walk along memory -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderReference.h"

#include "pruner/Dialect/Pruner/Utils/MoveLoop.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

/// The loop along which all results of a reduction are contiguous, if there is
/// one.
static std::optional<unsigned> contiguousLoop(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op.getNumReductionLoops() == 0 || map.getNumResults() == 0 ||
      !llvm::all_equal(
          llvm::map_range(op.getDpsInitsMutable(), [&](OpOperand &init) {
            return op.getMatchingIndexingMap(&init);
          })))
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  return last ? std::optional(last.getPosition()) : std::nullopt;
}

/// Transposes the inputs in which the innermost loop steps over rows: a step of
/// whole pages costs a hundred times one along a row.
static void transposeInputs(RewriterBase &rewriter, linalg::GenericOp op) {
  AffineExpr inner = getAffineDimExpr(op.getNumLoops() - 1, op.getContext());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    if (!map.isProjectedPermutation())
      continue;
    std::optional<unsigned> at = map.getResultPosition(inner);
    if (!at || *at + 1 == map.getNumResults())
      continue;
    SmallVector<int64_t> order;
    for (unsigned n = 0; n < map.getNumResults(); ++n)
      if (n != *at)
        order.push_back(n);
    order.push_back(*at);
    auto type = cast<RankedTensorType>(input->get().getType());
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> results;
    for (int64_t from : order) {
      shape.push_back(type.getDimSize(from));
      results.push_back(map.getResult(from));
    }
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                          type.getElementType());
    auto transposed = linalg::TransposeOp::create(rewriter, op.getLoc(),
                                                  input->get(), empty, order);
    rewriter.modifyOpInPlace(
        op, [&] { input->set(transposed.getResult().front()); });
    map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

void pruner::orderReference(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> reductions;
  module.walk([&](linalg::LinalgOp op) {
    if (std::optional<unsigned> loop = contiguousLoop(op))
      reductions.emplace_back(op, *loop);
  });
  for (auto [op, loop] : reductions) {
    FailureOr<linalg::GenericOp> generic =
        moveLoopInnermost(rewriter, op, loop);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    transposeInputs(rewriter, *generic);
  }
}
