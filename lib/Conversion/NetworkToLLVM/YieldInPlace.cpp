//===- YieldInPlace.cpp - loops and branches with fixed buffers -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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

/// A tensor without contents, before `op`.
static Value bufferBefore(Operation *op, Type type) {
  OpBuilder builder(op);
  return bufferization::AllocTensorOp::create(
      builder, op->getLoc(), cast<RankedTensorType>(type), ValueRange());
}

namespace {
struct YieldInPlacePass
    : public pruner::impl::PrunerYieldInPlaceBase<YieldInPlacePass> {
  void runOnOperation() override {
    // The others are branches then.
    SmallVector<arith::SelectOp> selects;
    getOperation().walk([&](arith::SelectOp op) {
      if (isStaticTensor(op.getType()) &&
          op.getCondition().getType().isInteger(1))
        selects.push_back(op);
    });
    for (arith::SelectOp op : selects)
      branchInstead(op);
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        yieldInto(loop.getBody()->getTerminator(), 0, loop.getRegionIterArgs());
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        rewrite(loop);
      else if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
        rewriteBranches(op);
    }
  }

private:
  /// A select between two tensors has no buffer of its own: which one is chosen
  /// is known when it runs.
  static void branchInstead(arith::SelectOp op) {
    OpBuilder builder(op);
    auto branch = scf::IfOp::create(
        builder, op.getLoc(), op.getCondition(),
        [&](OpBuilder &then, Location loc) {
          scf::YieldOp::create(then, loc, op.getTrueValue());
        },
        [&](OpBuilder &otherwise, Location loc) {
          scf::YieldOp::create(otherwise, loc, op.getFalseValue());
        });
    op.replaceAllUsesWith(branch.getResult(0));
    op.erase();
  }

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

  void rewrite(scf::WhileOp loop) {
    if (loop.getBefore().getArgumentTypes() !=
        loop.getAfter().getArgumentTypes())
      return carryBoth(loop);
    // What either region gives is what the other one takes.
    yieldInto(loop.getConditionOp(), 1, loop.getBeforeArguments());
    yieldInto(loop.getYieldOp(), 0, loop.getAfterArguments());
  }

  /// Where the regions do not pass each other the same, either one takes along
  /// the buffers that the other one writes to:
  /// %r = scf.while (%a = %x) { condition %b } do (%b) { yield %a }
  /// becomes
  /// %r, _ = scf.while (%a = %x, %b0 = new) { condition %b into %b0, %a }
  ///           do (%b, %a0) { yield %a into %a0, %b }
  void carryBoth(scf::WhileOp loop) {
    Location loc = loop.getLoc();
    SmallVector<Value> inits(loop.getInits());
    SmallVector<Type> results(loop.getResultTypes());
    SmallVector<unsigned> taken, given; // Tensors among inits, among results.
    for (auto [n, type] : llvm::enumerate(loop.getResultTypes()))
      if (isStaticTensor(type)) {
        inits.push_back(bufferBefore(loop, type));
        given.push_back(n);
      }
    for (auto [n, init] : llvm::enumerate(loop.getInits()))
      if (isStaticTensor(init.getType())) {
        results.push_back(init.getType());
        taken.push_back(n);
      }
    OpBuilder builder(loop);
    auto made = scf::WhileOp::create(builder, loc, results, inits);
    made.getBefore().takeBody(loop.getBefore());
    made.getAfter().takeBody(loop.getAfter());
    loop.replaceAllUsesWith(made.getResults().take_front(loop.getNumResults()));
    loop.erase();

    Operation *condition = made.getConditionOp(), *yield = made.getYieldOp();
    for (unsigned n : given) {
      Type type = results[n];
      Value buffer = made.getBeforeBody()->addArgument(type, loc);
      put(condition, n + 1, buffer);
      yield->insertOperands(yield->getNumOperands(),
                            made.getAfterBody()->getArgument(n));
    }
    for (unsigned n : taken) {
      Value buffer = made.getAfterBody()->addArgument(inits[n].getType(), loc);
      put(yield, n, buffer);
      condition->insertOperands(condition->getNumOperands(),
                                made.getBeforeBody()->getArgument(n));
    }
  }

  /// Lets `yield` give its operand number `n` in `buffer`.
  void put(Operation *yield, unsigned n, Value buffer) {
    OpBuilder builder(yield);
    yield->setOperand(
        n, putInto(builder, yield->getLoc(), yield->getOperand(n), buffer));
    ++numYields;
  }

  /// All branches write to a buffer that is made in front of them.
  void rewriteBranches(Operation *branch) {
    for (auto [n, type] : llvm::enumerate(branch->getResultTypes())) {
      if (!isStaticTensor(type))
        continue;
      Value buffer = bufferBefore(branch, type);
      for (Region &region : branch->getRegions()) {
        put(region.front().getTerminator(), n, buffer);
      }
    }
  }
};
} // namespace
