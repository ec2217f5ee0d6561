//===- KeepPartialInits.cpp - what an op does not write stays -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERKEEPPARTIALINITS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// Whether ops that write through `map` reach every element of `type`: each
/// coordinate is a loop of its own, which by the rules of linalg runs over all
/// of the dimension, or the only index there is.
static bool coversAll(AffineMap map, RankedTensorType type) {
  llvm::SmallBitVector seen(map.getNumDims());
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      if (seen.test(loop.getPosition()))
        return false;
      seen.set(loop.getPosition());
    } else if (extent != 1) {
      return false;
    }
  }
  return true;
}

namespace {
struct KeepPartialInitsPass
    : public pruner::impl::PrunerKeepPartialInitsBase<KeepPartialInitsPass> {
  void runOnOperation() override {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics())
        return;
      for (OpOperand &init : op.getDpsInitsMutable()) {
        auto type = dyn_cast<RankedTensorType>(init.get().getType());
        if (!type || op.payloadUsesValueFromOperand(&init) ||
            init.get().getDefiningOp<tensor::EmptyOp>() ||
            coversAll(op.getMatchingIndexingMap(&init), type))
          continue;
        OpBuilder builder(op);
        init.set(bufferization::AllocTensorOp::create(
            builder, op.getLoc(), type, ValueRange(), init.get()));
        ++numKept;
      }
    });
  }
};
} // namespace
