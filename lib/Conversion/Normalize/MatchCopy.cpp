//===- MatchCopy.cpp - generics that only move data -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatchCopy.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

std::optional<pruner::CopyOf> pruner::matchCopy(Operation *op) {
  auto copy = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!copy || !copy.hasPureTensorSemantics() || copy.getNumDpsInputs() != 1 ||
      copy.getNumDpsInits() != 1 ||
      copy.getNumParallelLoops() != copy.getNumLoops())
    return std::nullopt;
  Block *body = copy.getBlock();
  auto yield = dyn_cast<linalg::YieldOp>(body->getTerminator());
  if (!yield || !llvm::hasSingleElement(*body) ||
      yield.getOperand(0) != body->getArgument(0))
    return std::nullopt;
  OpOperand *input = copy.getDpsInputOperand(0);
  AffineMap in = copy.getMatchingIndexingMap(input);
  AffineMap out = copy.getMatchingIndexingMap(copy.getDpsInitOperand(0));
  if (!isa<RankedTensorType>(input->get().getType()) ||
      !in.isProjectedPermutation() || !out.isPermutation())
    return std::nullopt;
  return CopyOf{input->get(), in.compose(inversePermutation(out))};
}
