//===- EraseUnusedResults.cpp - erase unused results and operands ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ERASEUNUSEDRESULTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// An elementwise op that reads its init reads an input instead, and starts
/// from a tensor without contents. (Upstream's pattern ignores that the op may
/// not write all elements of the result.)
struct ReadInitAsInput : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        op.getNumParallelLoops() != op.getNumLoops())
      return failure();
    for (OpOperand &init : op.getDpsInitsMutable())
      if (!op.getMatchingBlockArgument(&init).use_empty() &&
          pruner::writesAllOnce(op, init)) {
        move(rewriter, op, init.getOperandNumber());
        return success();
      }
    return failure();
  }

private:
  static void move(PatternRewriter &rewriter, linalg::GenericOp op,
                   unsigned number) {
    const int64_t place = op.getNumDpsInputs();
    Value init = op->getOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(number));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps.insert(maps.begin() + place, map);
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), init),
        type.getElementType(), type.getEncoding());
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputsMutable().append(init);
      op->setOperand(number + 1, empty);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      Block *body = op.getBody();
      BlockArgument read = body->getArgument(number);
      BlockArgument input =
          body->insertArgument(place, read.getType(), read.getLoc());
      read.replaceAllUsesWith(input);
    });
  }
};

struct EraseUnusedResults
    : pruner::impl::EraseUnusedResultsPassBase<EraseUnusedResults> {
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
    // The greedy driver also removes dead ops; remove them before counting.
    IRRewriter rewriter(&getContext());
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    auto [results, operands] = count();

    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    patterns.add<ReadInitAsInput>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    auto [resultsLeft, operandsLeft] = count();
    numResults += results - resultsLeft;
    // Moving an init into the inputs may add an operand.
    numOperands += operands > operandsLeft ? operands - operandsLeft : 0;
  }
};
} // namespace
