//===- DecomposeAggregates.cpp - ops on whole tensors as linalg ops -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_DECOMPOSEAGGREGATESPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct DecomposeAggregatesPass
    : public pruner::impl::DecomposeAggregatesPassBase<
          DecomposeAggregatesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Operation *op :
         pruner::decomposeAggregates(rewriter, getOperation())) {
      emitError(op->getLoc())
          << "'" << op->getName()
          << "' op cannot be decomposed: " << pruner::whyNotDecomposed(op);
      signalPassFailure();
    }
  }
};
} // namespace
