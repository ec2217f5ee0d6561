//===- InlineBody.cpp - bodies of statements on scalars and vectors -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "SafeDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace pruner;

/// A bf16 as its bits. LLVM builds vectors of bf16 from scalars by way of f32,
/// and the conversion back is a function that C runtimes may lack.
static Value toBits(OpBuilder &builder, Location loc, Value value) {
  if (!value.getType().isBF16())
    return value;
  return arith::BitcastOp::create(builder, loc, builder.getI16Type(), value);
}

/// The vector of bf16 with the given bits.
static Value fromBits(OpBuilder &builder, Location loc, Value bits,
                      Type element) {
  auto type = cast<VectorType>(bits.getType());
  if (type.getElementType() == element)
    return bits;
  return arith::BitcastOp::create(builder, loc, type.clone(element), bits);
}

Value pruner::broadcastTo(OpBuilder &builder, Location loc, Value value,
                          int64_t lanes) {
  Type element = value.getType();
  if (isa<VectorType>(element))
    return value;
  Value bits = toBits(builder, loc, value);
  Value wide = vector::BroadcastOp::create(
      builder, loc, VectorType::get({lanes}, bits.getType()), bits);
  return fromBits(builder, loc, wide, element);
}

Value pruner::vectorFrom(OpBuilder &builder, Location loc,
                         ValueRange elements) {
  Type element = elements.front().getType();
  SmallVector<Value> bits;
  for (Value value : elements)
    bits.push_back(toBits(builder, loc, value));
  auto type = VectorType::get({int64_t(bits.size())}, bits.front().getType());
  Value wide = vector::FromElementsOp::create(builder, loc, type, bits);
  return fromBits(builder, loc, wide, element);
}

bool pruner::hasPlainVectors(Type element) {
  return element.isIndex() || element.getIntOrFloatBitWidth() % 8 == 0;
}

/// The number of lanes of the first vector among `values`; 0 if there is none.
static int64_t lanesOf(ValueRange values) {
  for (Value value : values)
    if (auto type = dyn_cast<VectorType>(value.getType()))
      return type.getDimSize(0);
  return 0;
}

/// True if `op` may be part of a fused multiply-add. False for f16 and bf16,
/// where skipping the rounding of the product changes the result, and for a
/// product that is converted first, which LLVM may compute in the narrower
/// type.
static bool mayBeFused(Operation &op) {
  if (isa<arith::MulFOp>(op) &&
      !llvm::all_of(op.getUsers(), llvm::IsaPred<arith::AddFOp, arith::SubFOp>))
    return false;
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op) &&
         op.getResult(0).getType().getIntOrFloatBitWidth() >= 32;
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
    if (isIntegerDivision(op))
      operands[1] = safeDivisor(builder, op, operands);
    OperationState state(op.getLoc(), op.getName(), operands, results,
                         op.getAttrs());
    Operation *copy = builder.create(state);
    if (contract && mayBeFused(op))
      copy->setAttr("fastmath",
                    arith::FastMathFlagsAttr::get(
                        copy->getContext(), arith::FastMathFlags::contract));
    mapping.map(op.getResults(), copy->getResults());
  }
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}
