//===- YieldInPlace.cpp - loops and branches with fixed buffers -----------===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERYIELDINPLACE
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

/// What `value` is a view of.
static Value viewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// `value` copied into the buffer of `dest`. Bufferization may still choose
/// what is in place before, but this, which it looks at first, always is.
static Value putInto(OpBuilder &builder, Location loc, Value value,
                     Value dest) {
  return linalg::CopyOp::create(builder, loc, value, dest).getResult(0);
}

static Value copyOf(OpBuilder &builder, Location loc, Value value) {
  return bufferization::AllocTensorOp::create(
      builder, loc, cast<RankedTensorType>(value.getType()), ValueRange(),
      value);
}

namespace {
struct YieldInPlacePass
    : public pruner::impl::PrunerYieldInPlaceBase<YieldInPlacePass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op)) {
        yieldInto(loop.getBody()->getTerminator(), 0, loop.getRegionIterArgs());
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        // What either region gives is what the other one takes. Where the
        // types differ there is no telling which buffer that could be.
        if (loop.getBefore().getArgumentTypes() !=
            loop.getAfter().getArgumentTypes())
          return;
        yieldInto(loop.getConditionOp(), 1, loop.getBeforeArguments());
        yieldInto(loop.getYieldOp(), 0, loop.getAfterArguments());
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        rewrite(branch);
      }
    });
  }

private:
  /// Lets `yield` give, from its operand number `first` on, the buffers that
  /// `arguments` of its block came in.
  void yieldInto(Operation *yield, unsigned first,
                 Block::BlockArgListType arguments) {
    OpBuilder builder(yield);
    Location loc = yield->getLoc();
    SmallVector<Value> values;
    for (auto [n, argument] : llvm::enumerate(arguments)) {
      Value value = yield->getOperand(first + n);
      // Another argument's buffer may be written before this is read.
      Value source = viewed(value);
      if (isStaticTensor(value.getType()) && source != argument &&
          llvm::is_contained(arguments, source))
        value = copyOf(builder, loc, value);
      values.push_back(value);
    }
    for (auto [n, argument] : llvm::enumerate(arguments)) {
      if (!isStaticTensor(values[n].getType()) || values[n] == argument)
        continue;
      yield->setOperand(first + n, putInto(builder, loc, values[n], argument));
      ++numYields;
    }
  }

  /// Both branches write to a buffer that is made in front of them.
  void rewrite(scf::IfOp branch) {
    OpBuilder builder(branch);
    for (auto [n, type] : llvm::enumerate(branch.getResultTypes())) {
      if (!isStaticTensor(type))
        continue;
      builder.setInsertionPoint(branch);
      Value buffer = bufferization::AllocTensorOp::create(
          builder, branch.getLoc(), cast<RankedTensorType>(type), ValueRange());
      for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()}) {
        builder.setInsertionPoint(yield);
        yield->setOperand(
            n, putInto(builder, yield.getLoc(), yield.getOperand(n), buffer));
        ++numYields;
      }
    }
  }
};
} // namespace
