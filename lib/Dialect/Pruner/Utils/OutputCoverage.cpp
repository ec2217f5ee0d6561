//===- OutputCoverage.cpp - the elements that an op writes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

using namespace mlir;

/// The loops that are each the only term of a coordinate of the result. By the
/// rules of linalg such a loop runs over the whole dimension. None if another
/// coordinate skips elements.
static std::optional<llvm::SmallBitVector> loopsOfResult(linalg::LinalgOp op,
                                                         OpOperand &init) {
  auto type = dyn_cast<ShapedType>(init.get().getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&init);
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (seen.test(loop.getPosition()))
        return std::nullopt;
      seen.set(loop.getPosition());
    } else if (extent != 1) {
      // The only index of a unit dimension is 0, whatever the expression.
      return std::nullopt;
    }
  }
  return seen;
}

bool pruner::writesAll(linalg::LinalgOp op, OpOperand &init) {
  std::optional<llvm::SmallBitVector> loops = loopsOfResult(op, init);
  if (!loops)
    return false;
  // A loop without iterations writes nothing.
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    if (!loops->test(loop) && (ShapedType::isDynamic(extent) || extent == 0))
      return false;
  return true;
}

bool pruner::writesAllOnce(linalg::LinalgOp op, OpOperand &init) {
  std::optional<llvm::SmallBitVector> loops = loopsOfResult(op, init);
  if (!loops)
    return false;
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    if (!loops->test(loop) && extent != 1)
      return false;
  return true;
}
