//===- OrderLoops.cpp - contiguous loops innermost ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/Pass.h"
#include "pruner/Dialect/Pruner/Utils/MoveLoop.h"

namespace pruner {
#define GEN_PASS_DEF_ORDERLOOPSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// True if consecutive iterations of loop `dim` access one element of a
/// row-major operand that is read through `map`, or walk along its last
/// dimension, by one element or by the stride of a convolution.
static bool walksRow(AffineMap map, unsigned dim) {
  for (auto [r, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (r + 1 != map.getNumResults())
      return false;
    bool linear = true;
    expr.walk([&](AffineExpr part) {
      linear &= part.getKind() != AffineExprKind::Mod &&
                part.getKind() != AffineExprKind::FloorDiv &&
                part.getKind() != AffineExprKind::CeilDiv;
    });
    if (!linear)
      return false;
  }
  return true;
}

/// The parallel loop to move innermost: the one along which the result is
/// contiguous, if it walks along rows of every operand.
static std::optional<unsigned> innermostLoop(linalg::LinalgOp op) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() == 0)
    return std::nullopt;
  auto last =
      dyn_cast<AffineDimExpr>(result.getResults()[result.getNumResults() - 1]);
  if (!last || op.getIteratorTypesArray()[last.getPosition()] !=
                   utils::IteratorType::parallel)
    return std::nullopt;
  if (!llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
        return walksRow(map, last.getPosition());
      }))
    return std::nullopt;
  return last.getPosition();
}

namespace {
struct OrderLoopsPass
    : public pruner::impl::OrderLoopsPassBase<OrderLoopsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops() != 0 && op.getNumParallelLoops() != 0 &&
          op.getNumDpsInits() == 1 && !op.hasIndexSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<unsigned> innermost = innermostLoop(op);
      if (!innermost || *innermost + 1 == op.getNumLoops())
        continue;
      (void)pruner::moveLoopInnermost(rewriter, op, *innermost);
    }
  }
};
} // namespace
