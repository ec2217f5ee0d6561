//===- TaskGroup.cpp - a group of ops that may be a task ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pruner;

TypedAttr pruner::fillValueOf(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  auto constant =
      fill ? fill.getInputs()[0].getDefiningOp<arith::ConstantOp>() : nullptr;
  return constant ? constant.getValue() : TypedAttr();
}

bool pruner::isRead(OpOperand &operand) {
  auto op = dyn_cast<linalg::LinalgOp>(operand.getOwner());
  if (!op)
    return true;
  return op.payloadUsesValueFromOperand(&operand) &&
         !(op.isDpsInit(&operand) && fillValueOf(operand.get()));
}

TaskGroup::TaskGroup(ArrayRef<Operation *> ops)
    : ops(ops), result(ops.back()->getResult(0)) {
  llvm::SmallSetVector<Value, 8> taken;
  for (Operation *op : ops)
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      if (isa<TensorType>(operand.get().getType()) && isRead(operand) &&
          !llvm::is_contained(ops, producer))
        taken.insert(operand.get());
    }
  arguments.assign(taken.begin(), taken.end());
}

bool pruner::isConstantTensor(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Value> seen;
  bool anyTensor = false;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto func =
          dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
      if (!func || !func.getArgAttr(argument.getArgNumber(),
                                    PrunerDialect::getConstantAttrName()))
        return false;
      anyTensor = true;
      continue;
    }
    Operation *op = next.getDefiningOp();
    anyTensor |= isa<arith::ConstantOp>(op) && isa<TensorType>(next.getType());
    if (!isMemoryEffectFree(op))
      return false;
    llvm::append_range(worklist, op->getOperands());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::append_range(worklist, captured);
  }
  return anyTensor;
}
