//===- ReturnAllocations.cpp - results without copies ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pruner {
#define GEN_PASS_DEF_RETURNALLOCATIONSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static bool isPlain(MemRefType type) {
  return type.hasStaticShape() && type.getLayout().isIdentity();
}

/// The reshapes from an allocation to `value`, last first, and the allocation;
/// null if another op is between them.
static memref::AllocOp followReshapes(Value value,
                                      SmallVectorImpl<Operation *> &reshapes) {
  while (isPlain(cast<MemRefType>(value.getType()))) {
    Operation *op = value.getDefiningOp();
    if (auto alloc = dyn_cast_or_null<memref::AllocOp>(op))
      return alloc;
    if (!isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(op))
      return nullptr;
    reshapes.push_back(op);
    value = op->getOperand(0);
  }
  return nullptr;
}

/// The view of `value`, the result of `reshape`, that replaces its operand.
static Value undo(OpBuilder &builder, Operation *reshape, Value value) {
  Location loc = reshape->getLoc();
  if (auto expand = dyn_cast<memref::ExpandShapeOp>(reshape))
    return memref::CollapseShapeOp::create(builder, loc, expand.getSrcType(),
                                           value,
                                           expand.getReassociationIndices());
  auto collapse = cast<memref::CollapseShapeOp>(reshape);
  return memref::ExpandShapeOp::create(builder, loc,
                                       collapse.getSrcType().getShape(), value,
                                       collapse.getReassociationIndices());
}

namespace {
struct ReturnAllocationsPass
    : public pruner::impl::ReturnAllocationsPassBase<ReturnAllocationsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return;
    auto results =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    // Upstream's pass replaces each returned allocation by an argument, and
    // then fails to find it for the next result that is the same.
    llvm::SmallPtrSet<Value, 4> distinct;
    for (OpOperand &operand : results->getOpOperands()) {
      Value value = operand.get();
      if (distinct.insert(value).second ||
          !value.getDefiningOp<memref::AllocOp>())
        continue;
      OpBuilder builder(results);
      Value copy = memref::AllocOp::create(builder, value.getLoc(),
                                           cast<MemRefType>(value.getType()));
      memref::CopyOp::create(builder, value.getLoc(), value, copy);
      operand.set(copy);
    }
    llvm::SmallPtrSet<Operation *, 4> returned;
    for (Value value : results.getOperands())
      if (auto alloc = value.getDefiningOp<memref::AllocOp>())
        returned.insert(alloc);
    for (OpOperand &operand : results->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      SmallVector<Operation *> reshapes;
      memref::AllocOp alloc = followReshapes(operand.get(), reshapes);
      if (!alloc || reshapes.empty() || returned.contains(alloc))
        continue;
      OpBuilder builder(alloc);
      auto whole = memref::AllocOp::create(
          builder, alloc.getLoc(), cast<MemRefType>(operand.get().getType()),
          alloc.getAlignmentAttr());
      returned.insert(whole);
      Value view = whole;
      for (Operation *reshape : reshapes)
        view = undo(builder, reshape, view);
      alloc.replaceAllUsesWith(view);
      alloc.erase();
      operand.set(whole);
      ++numMoved;
    }
  }
};
} // namespace
