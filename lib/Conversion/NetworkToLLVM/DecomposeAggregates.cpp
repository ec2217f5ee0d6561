//===- DecomposeAggregates.cpp - softmax and its like as linalg ops -------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERDECOMPOSEAGGREGATES
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct DecomposeAggregatesPass
    : public pruner::impl::PrunerDecomposeAggregatesBase<
          DecomposeAggregatesPass> {
  void runOnOperation() override {
    SmallVector<linalg::AggregatedOpInterface> ops;
    getOperation().walk(
        [&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::AggregatedOpInterface op : ops)
      if (failed(pruner::decomposeAggregate(rewriter, op))) {
        op->emitOpError("cannot be decomposed");
        return signalPassFailure();
      }
  }
};
} // namespace
