//===- YieldInPlace.cpp - loops and branches with fixed buffers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_YIELDINPLACEPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

/// The source of the view `value`.
static Value viewed(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp, tensor::ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// `value` copied into the buffer of `dest`. Bufferization may choose other
/// values to be in place, but it visits this copy first.
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
/// The values that are tensors of static shape.
struct Places {
  SmallVector<unsigned> tensors, others;

  explicit Places(TypeRange types) {
    for (auto [n, type] : llvm::enumerate(types))
      (isStaticTensor(type) ? tensors : others).push_back(n);
  }

  unsigned size() const { return tensors.size() + others.size(); }

  static SmallVector<Value> select(ValueRange values,
                                   ArrayRef<unsigned> which) {
    return llvm::map_to_vector(which, [&](unsigned n) { return values[n]; });
  }
  SmallVector<Value> tensorsOf(ValueRange values) const {
    return select(values, tensors);
  }
  SmallVector<Value> othersOf(ValueRange values) const {
    return select(values, others);
  }
};

struct YieldInPlacePass
    : public pruner::impl::YieldInPlacePassBase<YieldInPlacePass> {
  void runOnOperation() override {
    // The other selects become branches.
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
  /// Replaces a select between two tensors by a branch. A select has no buffer
  /// of its own, because the choice is made at run time.
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

  /// Makes `yield` return, from operand number `first` on, values in the
  /// buffers of its block's `arguments`.
  void yieldInto(Operation *yield, unsigned first,
                 Block::BlockArgListType arguments) {
    OpBuilder builder(yield);
    Location loc = yield->getLoc();
    SmallVector<Value> values;
    for (auto [n, argument] : llvm::enumerate(arguments)) {
      Value value = yield->getOperand(first + n);
      // The buffer of another argument may be overwritten before it is read.
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
    // The results of each region are the arguments of the other one.
    yieldInto(loop.getConditionOp(), 1, loop.getBeforeArguments());
    yieldInto(loop.getYieldOp(), 0, loop.getAfterArguments());
  }

  /// If the regions pass each other different values, each region also carries
  /// the buffers that the other one writes to, in the same positions:
  ///
  ///   %r = scf.while (%a = %x, %i = %c) { condition %b } do (%b) { yield %a,
  ///   %i }
  ///
  /// becomes
  ///
  ///   %a', %r = scf.while (%a = %x, %b0 = new, %i = %c) { condition %a, %b }
  ///             do (%a0, %b) { yield %a, %b, %i }
  ///
  /// with %b in the buffer of %b0 and the last %a in that of %a0.
  void carryBoth(scf::WhileOp loop) {
    Location loc = loop.getLoc();
    Places in(ValueRange(loop.getInits()).getTypes()),
        out(loop.getResultTypes());
    SmallVector<Value> inits = in.tensorsOf(loop.getInits());
    SmallVector<Type> types(ValueRange(inits).getTypes());
    for (unsigned n : out.tensors) {
      types.push_back(loop.getResult(n).getType());
      inits.push_back(bufferBefore(loop, types.back()));
    }
    llvm::append_range(inits, in.othersOf(loop.getInits()));
    for (unsigned n : out.others)
      types.push_back(loop.getResult(n).getType());
    OpBuilder builder(loop);
    auto made = scf::WhileOp::create(builder, loc, types, inits);
    made.getBefore().takeBody(loop.getBefore());
    made.getAfter().takeBody(loop.getAfter());
    const unsigned numIn = in.tensors.size();
    for (auto [n, place] : llvm::enumerate(out.tensors))
      loop.getResult(place).replaceAllUsesWith(made.getResult(numIn + n));
    for (auto [n, place] : llvm::enumerate(out.others))
      loop.getResult(place).replaceAllUsesWith(
          made.getResult(numIn + out.tensors.size() + n));
    loop.erase();

    // The arguments in their new order, after those that they replace.
    Block *before = made.getBeforeBody(), *after = made.getAfterBody();
    auto move = [&](Block *block, unsigned n) -> Value {
      BlockArgument old = block->getArgument(n);
      Value argument = block->addArgument(old.getType(), loc);
      old.replaceAllUsesWith(argument);
      return argument;
    };
    SmallVector<Value> read, written, kept, filled;
    for (unsigned n : in.tensors) {
      read.push_back(move(before, n));
      filled.push_back(after->addArgument(read.back().getType(), loc));
    }
    for (unsigned n : out.tensors) {
      kept.push_back(move(after, n));
      written.push_back(before->addArgument(kept.back().getType(), loc));
    }
    for (unsigned n : in.others)
      move(before, n);
    for (unsigned n : out.others)
      move(after, n);
    before->eraseArguments(0, in.size());
    after->eraseArguments(0, out.size());

    Operation *condition = made.getConditionOp(), *yield = made.getYieldOp();
    ValueRange passed = condition->getOperands().drop_front();
    SmallVector<Value> operands{condition->getOperand(0)};
    llvm::append_range(operands, read);
    llvm::append_range(operands,
                       putAll(condition, out.tensorsOf(passed), written));
    llvm::append_range(operands, out.othersOf(passed));
    condition->setOperands(operands);
    operands = putAll(yield, in.tensorsOf(yield->getOperands()), filled);
    llvm::append_range(operands, kept);
    llvm::append_range(operands, in.othersOf(yield->getOperands()));
    yield->setOperands(operands);
  }

  /// Copies `values` into `buffers`, before `yield`.
  SmallVector<Value> putAll(Operation *yield, ValueRange values,
                            ValueRange buffers) {
    OpBuilder builder(yield);
    SmallVector<Value> results;
    for (auto [value, buffer] : llvm::zip_equal(values, buffers))
      results.push_back(putInto(builder, yield->getLoc(), value, buffer));
    numYields += results.size();
    return results;
  }

  /// Makes all branches write to one buffer that is allocated before them.
  void rewriteBranches(Operation *branch) {
    for (auto [n, type] : llvm::enumerate(branch->getResultTypes())) {
      if (!isStaticTensor(type))
        continue;
      Value buffer = bufferBefore(branch, type);
      for (Region &region : branch->getRegions()) {
        Operation *yield = region.front().getTerminator();
        yield->setOperand(n, putAll(yield, yield->getOperand(n), buffer)[0]);
      }
    }
  }
};
} // namespace
