//===- SimplifyModel.cpp - canonicalization outside tasks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Canonicalization.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_SIMPLIFYMODELPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Up to this number the order does not change the time.
static constexpr unsigned kFewBranches = 64;

namespace {
struct SimplifyModel : pruner::impl::SimplifyModelPassBase<SimplifyModel> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet all(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(all);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(all, context);
    pruner::populateEraseCopiesPatterns(all);
    patterns = FrozenRewritePatternSet(std::move(all),
                                       pruner::wrongCanonicalizations());
    return success();
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    // In a chain of branches or selections by one condition, each is simplified
    // by the ones before it. From the bottom up, that takes time in the square
    // of its length.
    unsigned branches = 0;
    getOperation()->walk([&](Operation *op) {
      if (isa<scf::IfOp, arith::SelectOp>(op))
        branches += llvm::any_of(op->getResultTypes(), [](Type type) {
          return isa<TensorType>(type);
        });
    });
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(branches > kFewBranches);
    // As in the upstream pass, the limit of iterations is not an error.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
