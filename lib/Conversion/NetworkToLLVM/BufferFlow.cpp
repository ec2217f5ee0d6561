//===- BufferFlow.cpp - values that share a buffer ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferFlow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// True if a value of the type cannot contain the address of a buffer.
static bool isNumber(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  if (auto complex = dyn_cast<ComplexType>(type))
    type = complex.getElementType();
  return type.isIntOrIndexOrFloat();
}

void BufferFlow::connect(Value from, Value to) {
  if (!isBuffer(to))
    return;
  next[from].push_back(to);
  reached.insert(to);
}

FailureOr<BufferFlow> BufferFlow::read(func::FuncOp function) {
  BufferFlow flow;
  WalkResult result = function.walk([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    return failed(flow.visit(op)) ? WalkResult::interrupt()
                                  : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return flow;
}

LogicalResult BufferFlow::visit(Operation *op) {
  if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
    connect(view.getViewSource(), view.getViewDest());
  } else if (auto select = dyn_cast<SelectLikeOpInterface>(op)) {
    connect(select.getTrueValue(), op->getResult(0));
    connect(select.getFalseValue(), op->getResult(0));
  } else if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        connect(operand->get(), input);
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (auto [n, successor] : llvm::enumerate(op->getSuccessors())) {
      SuccessorOperands operands = branch.getSuccessorOperands(n);
      unsigned produced = operands.getProducedOperandCount();
      for (auto [argument, operand] :
           llvm::zip_equal(successor->getArguments().drop_front(produced),
                           operands.getForwardedOperands()))
        connect(operand, argument);
    }
  }

  const bool takesBuffers = llvm::any_of(op->getOperands(), isBuffer);
  auto unknown = [&](StringRef what) {
    return op->emitError("'") << op->getName().getStringRef() << "' " << what
                              << ", so the lifetime of its buffers is unknown";
  };
  if (op->getNumSuccessors() != 0 && !isa<BranchOpInterface>(op))
    return unknown("continues in other blocks");
  // Arguments of other blocks of the region were handled at the branches.
  for (Region &region : op->getRegions())
    if (!region.empty())
      for (BlockArgument argument : region.front().getArguments())
        if (isBuffer(argument) && !reached.contains(argument))
          return unknown("has a region that takes a buffer");
  for (Value result : op->getResults()) {
    if (isBuffer(result)) {
      if ((takesBuffers || op->getNumRegions() != 0) &&
          !reached.contains(result))
        return unknown("returns a buffer");
    } else if (takesBuffers &&
               (!isNumber(result.getType()) ||
                isa<memref::ExtractAlignedPointerAsIndexOp>(op))) {
      return unknown("returns the address of a buffer");
    }
  }
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<BaseMemRefType>(operand.getType()))
      if (isa<BaseMemRefType>(type.getElementType()))
        return unknown("may store a buffer in a buffer");
  return success();
}

SmallVector<Value> BufferFlow::reachedFrom(Value value) const {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t n = 0; n < values.size(); ++n)
    if (auto found = next.find(values[n]); found != next.end())
      values.insert_range(found->second);
  return values.takeVector();
}
