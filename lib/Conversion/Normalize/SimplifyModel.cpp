//===- SimplifyModel.cpp - canonicalization outside tasks ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Canonicalization.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_SIMPLIFYMODEL
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
struct SimplifyModel : pruner::impl::SimplifyModelBase<SimplifyModel> {
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
    // As in the upstream pass, reaching the iteration limit is not a failure.
    (void)applyPatternsGreedily(getOperation(), patterns);
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
