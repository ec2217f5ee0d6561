//===- MoveLoop.cpp - choose the innermost loop of a linalg op ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/MoveLoop.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

FailureOr<linalg::GenericOp> pruner::moveLoopInnermost(RewriterBase &rewriter,
                                                       linalg::LinalgOp op,
                                                       unsigned loop) {
  rewriter.setInsertionPoint(op);
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return failure();
    generic = *made;
  }
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < generic.getNumLoops(); ++dim)
    if (dim != loop)
      order.push_back(dim);
  order.push_back(loop);
  rewriter.setInsertionPoint(generic);
  // In place. Fails only if `order` is not a permutation.
  return linalg::interchangeGenericOp(rewriter, generic, order);
}
