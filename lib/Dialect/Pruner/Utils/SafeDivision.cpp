//===- SafeDivision.cpp - integer division that never traps ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SafeDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

static bool isSigned(Operation &op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(op);
}

static bool isUnsigned(Operation &op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
}

bool pruner::isIntegerDivision(Operation &op) {
  return isSigned(op) || isUnsigned(op);
}

Value pruner::safeDivisor(OpBuilder &builder, Operation &op,
                          ValueRange operands) {
  Value dividend = operands[0], divisor = operands[1];
  bool isTwosComplement = isSigned(op);
  APInt known;
  if (matchPattern(divisor, m_ConstantInt(&known)) && !known.isZero() &&
      !(isTwosComplement && known.isAllOnes()))
    return divisor;
  Location loc = op.getLoc();
  Type type = divisor.getType();
  unsigned width = getElementTypeOrSelf(type).isIndex()
                       ? IndexType::kInternalStorageBitWidth
                       : getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    Attribute element =
        builder.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(builder, loc,
                                       DenseElementsAttr::get(vector, element));
    return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(element));
  };
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 constant(number));
  };
  Value traps = equals(divisor, APInt::getZero(width));
  if (isTwosComplement) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(width)),
        equals(dividend, APInt::getSignedMinValue(width)));
    traps = arith::OrIOp::create(builder, loc, traps, overflows);
  }
  return arith::SelectOp::create(builder, loc, traps, constant(APInt(width, 1)),
                                 divisor);
}
