//===- DecomposeAggregate.cpp - softmax and its like ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

LogicalResult pruner::decomposeAggregate(RewriterBase &rewriter,
                                         linalg::AggregatedOpInterface op) {
  if (!isa<FloatType>(getElementTypeOrSelf(op->getOperand(0).getType())))
    return failure();
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
  if (failed(results) || results->size() != op->getNumResults())
    return failure();
  rewriter.replaceOp(op, *results);
  return success();
}
