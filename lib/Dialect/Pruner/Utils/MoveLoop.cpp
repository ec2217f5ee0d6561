//===- MoveLoop.cpp - choose the innermost loop of a linalg op ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/MoveLoop.h"

#include "pruner/Dialect/Pruner/Utils/AsGeneric.h"

using namespace mlir;

FailureOr<linalg::GenericOp> pruner::moveLoopInnermost(RewriterBase &rewriter,
                                                       linalg::LinalgOp op,
                                                       unsigned loop) {
  FailureOr<linalg::GenericOp> generic = pruner::asGeneric(rewriter, op);
  if (failed(generic))
    return failure();
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < generic->getNumLoops(); ++dim)
    if (dim != loop)
      order.push_back(dim);
  order.push_back(loop);
  // In place. Fails only if `order` is not a permutation.
  return linalg::interchangeGenericOp(rewriter, *generic, order);
}
