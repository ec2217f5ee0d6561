//===- InlineBody.cpp - bodies of statements on scalars and vectors -------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pruner;

Value pruner::broadcastTo(OpBuilder &builder, Location loc, Value value,
                          int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get({lanes}, value.getType()), value);
}

/// Lanes of the first vector among `values`; 0 if there is none.
static int64_t lanesOf(ValueRange values) {
  for (Value value : values)
    if (auto type = dyn_cast<VectorType>(value.getType()))
      return type.getDimSize(0);
  return 0;
}

static void allowContraction(Operation *op) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    op->setAttr("fastmath",
                arith::FastMathFlagsAttr::get(op->getContext(),
                                              arith::FastMathFlags::contract));
}

Value pruner::inlineBody(OpBuilder &builder, Block &body, ValueRange arguments,
                         bool contract) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    int64_t lanes = lanesOf(operands);
    SmallVector<Type> results(op.getResultTypes());
    if (lanes != 0) {
      for (Value &operand : operands)
        operand = broadcastTo(builder, op.getLoc(), operand, lanes);
      for (Type &type : results)
        type = VectorType::get({lanes}, type);
    }
    OperationState state(op.getLoc(), op.getName(), operands, results,
                         op.getAttrs());
    Operation *copy = builder.create(state);
    if (contract)
      allowContraction(copy);
    mapping.map(op.getResults(), copy->getResults());
  }
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}
