//===- GeneralizeNamedOps.cpp - turn named ops into generics --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_GENERALIZENAMEDOPSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// The two matrix products keep their names, because they can read a transposed
/// operand by changing a map. Fills define the start value of a task.
static bool shouldGeneralize(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() &&
         !isa<linalg::GenericOp, linalg::FillOp, linalg::MatmulOp,
              linalg::BatchMatmulOp>(op);
}

namespace {
struct GeneralizeNamedOps
    : pruner::impl::GeneralizeNamedOpsPassBase<GeneralizeNamedOps> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    IRRewriter rewriter(&getContext());
    // Ops that cannot be decomposed stay; the check of the lowering reports
    // them.
    (void)pruner::decomposeAggregates(rewriter, getOperation(),
                                      [&](Operation *) { ++numGeneralized; });
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (shouldGeneralize(op))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      if (succeeded(linalg::generalizeNamedOp(rewriter, op)))
        ++numGeneralized;
    }
  }
};
} // namespace
