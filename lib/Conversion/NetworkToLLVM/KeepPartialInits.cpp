//===- KeepPartialInits.cpp - keep elements that an op does not write -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_KEEPPARTIALINITSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct KeepPartialInitsPass
    : public pruner::impl::KeepPartialInitsPassBase<KeepPartialInitsPass> {
  void runOnOperation() override {
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics())
        return;
      for (OpOperand &init : op.getDpsInitsMutable()) {
        auto type = dyn_cast<RankedTensorType>(init.get().getType());
        if (!type || op.payloadUsesValueFromOperand(&init) ||
            init.get().getDefiningOp<tensor::EmptyOp>() ||
            pruner::writesAll(op, init))
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
