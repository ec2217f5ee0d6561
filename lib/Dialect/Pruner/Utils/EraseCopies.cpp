//===- EraseCopies.cpp - erase generics that only copy --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/Canonicalization.h"
#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

/// The source of result `number` of `op` if the body computes nothing, or null.
static Value sourceOf(linalg::GenericOp op, unsigned number) {
  auto argument = dyn_cast<BlockArgument>(
      op.getBody()->getTerminator()->getOperand(number));
  if (!argument || argument.getOwner() != op.getBody())
    return {};
  OpOperand *source = op.getMatchingOpOperand(argument);
  OpOperand &init = *op.getDpsInitOperand(number);
  if (source->get().getType() != op->getResult(number).getType())
    return {};
  // An init that is yielded to itself stays unchanged, whatever its map.
  if (source == &init)
    return init.get();
  bool isWhole =
      op.getMatchingIndexingMap(source) == op.getMatchingIndexingMap(&init) &&
      op.isDpsInput(source) && pruner::writesAllOnce(op, init);
  return isWhole ? source->get() : Value();
}

namespace {
struct EraseCopy : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !llvm::hasSingleElement(*op.getBody()))
      return failure();
    SmallVector<Value> sources;
    for (unsigned n = 0; n < op->getNumResults(); ++n) {
      sources.push_back(sourceOf(op, n));
      if (!sources.back())
        return failure();
    }
    rewriter.replaceOp(op, sources);
    return success();
  }
};
} // namespace

void pruner::populateEraseCopiesPatterns(RewritePatternSet &patterns) {
  patterns.add<EraseCopy>(patterns.getContext());
}
