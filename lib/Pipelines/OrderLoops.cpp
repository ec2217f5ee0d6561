//===- OrderLoops.cpp - contiguous loops innermost ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Pass/Pass.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERORDERLOOPS
#include "pruner/Pipelines/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// Whether consecutive iterations of loop `dim` touch the same or the next
/// element of a row-major operand read or written through `map`.
static bool isContiguous(AffineMap map, unsigned dim) {
  for (auto [r, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    if (r + 1 != map.getNumResults() || !isa<AffineDimExpr>(expr))
      return false;
  }
  return true;
}

/// The parallel loop to put innermost: contiguous for every operand, and one
/// along which the result moves.
static std::optional<unsigned> innermostLoop(linalg::LinalgOp op) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::parallel ||
        !result.isFunctionOfDim(dim))
      continue;
    if (llvm::all_of(op.getIndexingMapsArray(), [&, dim = dim](AffineMap map) {
          return isContiguous(map, dim);
        }))
      return dim;
  }
  return std::nullopt;
}

namespace {
struct OrderLoopsPass
    : public pruner::impl::PrunerOrderLoopsBase<OrderLoopsPass> {
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
      SmallVector<unsigned> order;
      for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
        if (dim != *innermost)
          order.push_back(dim);
      order.push_back(*innermost);
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(made))
          continue;
        generic = *made;
      }
      (void)linalg::interchangeGenericOp(rewriter, generic, order);
    }
  }
};
} // namespace
