//===- SeparateInits.cpp - limit results that share a buffer --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace pruner {
#define GEN_PASS_DEF_SEPARATEINITSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct SeparateInitsPass
    : public pruner::impl::SeparateInitsPassBase<SeparateInitsPass> {
  using SeparateInitsPassBase::SeparateInitsPassBase;

  void runOnOperation() override {
    groups.clear();
    parents.clear();
    sizes.clear();
    latest.clear();
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        if (linalgOp.hasPureTensorSemantics())
          separate(linalgOp);
      if (auto written = dyn_cast<DestinationStyleOpInterface>(op)) {
        if (written.hasPureTensorSemantics())
          for (OpOperand &init : written.getDpsInitsMutable())
            copyIfFull(init);
        for (OpResult result : op->getResults())
          join(result, written.getTiedOpOperand(result)->get());
      } else if (isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                     tensor::CollapseShapeOp, tensor::CastOp>(op)) {
        join(op->getResult(0), op->getOperand(0));
      } else {
        visitControlFlow(op);
      }
    });
  }

private:
  /// Results of control flow and selections may be any of several tensors.
  void visitControlFlow(Operation *op) {
    if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
      for (auto [init, argument] :
           llvm::zip(loop.getInitsMutable(), loop.getRegionIterArgs())) {
        copyIfFull(init);
        join(argument, init.get());
      }
      if (auto results = loop.getLoopResults())
        for (auto [init, result] : llvm::zip(loop.getInitsMutable(), *results))
          join(result, init.get());
    } else if (auto yield = dyn_cast<scf::YieldOp>(op)) {
      // Loops yield what starts from their arguments.
      if (isa<LoopLikeOpInterface>(op->getParentOp()))
        return;
      for (auto [value, result] :
           llvm::zip(yield->getOpOperands(), op->getParentOp()->getResults())) {
        copyIfFull(value);
        join(result, value.get());
      }
    } else if (isa<arith::SelectOp>(op)) {
      for (OpOperand &operand : op->getOpOperands().drop_front()) {
        copyIfFull(operand);
        join(op->getResult(0), operand.get());
      }
    }
  }

  /// Groups are numbered; all values that bufferization may put into one buffer
  /// are in one group.
  unsigned groupOf(Value value) {
    auto [it, isNew] = groups.try_emplace(value, sizes.size());
    if (isNew) {
      parents.push_back(sizes.size());
      sizes.push_back(1);
    }
    unsigned group = it->second;
    while (parents[group] != group)
      group = parents[group] = parents[parents[group]];
    return group;
  }

  void join(Value result, Value with) {
    if (!isa<TensorType>(result.getType()))
      return;
    unsigned group = groupOf(with), other = groupOf(result);
    if (group == other)
      return;
    parents[other] = group;
    sizes[group] += sizes[other];
  }

  /// Gives `op` another tensor to start from, for each init of a full group
  /// that it only overwrites.
  void separate(linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      if (!type || !type.hasStaticShape() || type.getEncoding() ||
          sizes[groupOf(init.get())] < limit ||
          op.payloadUsesValueFromOperand(&init) || !pruner::writesAll(op, init))
        continue;
      // Operations that shared a tensor share the new one.
      Value &other = latest[{init.get(), op->getBlock()}];
      if (!other || sizes[groupOf(other)] >= limit) {
        OpBuilder builder(op);
        other = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
      }
      init.set(other);
      ++numSeparated;
    }
  }

  /// Copies an init of a full group whose contents are needed.
  void copyIfFull(OpOperand &init) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        sizes[groupOf(init.get())] < copyLimit)
      return;
    Operation *op = init.getOwner();
    OpBuilder builder(op);
    init.set(bufferization::AllocTensorOp::create(builder, op->getLoc(), type,
                                                  ValueRange(), init.get()));
    ++numCopied;
  }

  DenseMap<Value, unsigned> groups;
  SmallVector<unsigned> parents; ///< Of a group that was joined to another.
  SmallVector<unsigned> sizes;   ///< Values of each group.
  /// What stands for a tensor of a full group in a block.
  DenseMap<std::pair<Value, Block *>, Value> latest;
};
} // namespace
