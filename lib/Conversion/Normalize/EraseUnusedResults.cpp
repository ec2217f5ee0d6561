//===- EraseUnusedResults.cpp - unread results and operands go ----------===//
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
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ERASEUNUSEDRESULTS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
struct EraseUnusedResults
    : pruner::impl::EraseUnusedResultsBase<EraseUnusedResults> {
  std::pair<unsigned, unsigned> count() {
    unsigned results = 0, operands = 0;
    getOperation().walk([&](linalg::GenericOp op) {
      results += op->getNumResults();
      operands += op->getNumOperands();
    });
    return {results, operands};
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    // The greedy driver also removes dead ops; forget those before counting.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    auto [results, operands] = count();

    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    linalg::populateMoveInitOperandsToInputPattern(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    auto [resultsLeft, operandsLeft] = count();
    numResults += results - resultsLeft;
    // Moving an init into the inputs may add an operand.
    numOperands += operands > operandsLeft ? operands - operandsLeft : 0;
  }
};
} // namespace
