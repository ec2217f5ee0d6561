//===- Arithmetic.cpp - arithmetic on values of one shape -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace pruner::math_expansion;

/// `element`, or a vector of it with the shape of `type`.
static Type inShape(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

bool pruner::math_expansion::hasKnownShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? !vector.isScalable() : type.isIntOrIndexOrFloat();
}

Arithmetic::Arithmetic(OpBuilder &builder, Location loc, Type type)
    : b(&builder), at(loc), floats(type),
      integers(
          inShape(type, builder.getIntegerType(
                            getElementTypeOrSelf(type).isF64() ? 64 : 32))) {}

Arithmetic Arithmetic::wide() const {
  return Arithmetic(*b, at, inShape(floats, b->getF64Type()));
}

bool Arithmetic::isDouble() const {
  return getElementTypeOrSelf(floats).isF64();
}

Value Arithmetic::splat(Type type, TypedAttr value) const {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(*b, at, value);
}
Value Arithmetic::constant(double value) const {
  Type element = getElementTypeOrSelf(floats);
  return splat(floats, b->getFloatAttr(element, value));
}
Value Arithmetic::integer(int64_t value) const {
  Type element = getElementTypeOrSelf(integers);
  return splat(integers, b->getIntegerAttr(element, value));
}
Value Arithmetic::infinity() const {
  return constant(std::numeric_limits<double>::infinity());
}
Value Arithmetic::nan() const {
  return constant(std::numeric_limits<double>::quiet_NaN());
}

Value Arithmetic::add(Value x, Value y) const {
  return arith::AddFOp::create(*b, at, x, y);
}
Value Arithmetic::sub(Value x, Value y) const {
  return arith::SubFOp::create(*b, at, x, y);
}
Value Arithmetic::mul(Value x, Value y) const {
  return arith::MulFOp::create(*b, at, x, y);
}
Value Arithmetic::div(Value x, Value y) const {
  return arith::DivFOp::create(*b, at, x, y);
}
Value Arithmetic::neg(Value x) const {
  return arith::NegFOp::create(*b, at, x);
}
Value Arithmetic::abs(Value x) const { return math::AbsFOp::create(*b, at, x); }
Value Arithmetic::sqrt(Value x) const {
  return math::SqrtOp::create(*b, at, x);
}
Value Arithmetic::fma(Value x, Value y, Value z) const {
  return math::FmaOp::create(*b, at, x, y, z);
}
Value Arithmetic::copySign(Value magnitude, Value sign) const {
  return math::CopySignOp::create(*b, at, magnitude, sign);
}
Value Arithmetic::trunc(Value x) const {
  return math::TruncOp::create(*b, at, x);
}

Value Arithmetic::horner(Value rest, Value x, Coefficients coefficients) const {
  for (double coefficient : coefficients)
    rest = fma(rest, x, constant(coefficient));
  return rest;
}
Value Arithmetic::polynomial(Value x, Coefficients coefficients) const {
  return horner(constant(coefficients.front()), x, coefficients.drop_front());
}

Value Arithmetic::less(Value x, Value y) const {
  return arith::CmpFOp::create(*b, at, arith::CmpFPredicate::OLT, x, y);
}
Value Arithmetic::atLeast(Value x, Value y) const {
  return arith::CmpFOp::create(*b, at, arith::CmpFPredicate::OGE, x, y);
}
Value Arithmetic::equal(Value x, Value y) const {
  return arith::CmpFOp::create(*b, at, arith::CmpFPredicate::OEQ, x, y);
}
Value Arithmetic::select(Value condition, Value yes, Value no) const {
  return arith::SelectOp::create(*b, at, condition, yes, no);
}
Value Arithmetic::clampBelow(Value x, double least) const {
  Value low = constant(least);
  Value below =
      arith::CmpFOp::create(*b, at, arith::CmpFPredicate::OGT, low, x);
  return select(below, low, x);
}
Value Arithmetic::clampAbove(Value x, double most) const {
  Value high = constant(most);
  return select(less(high, x), high, x);
}

Value Arithmetic::bits(Value x) const {
  return arith::BitcastOp::create(*b, at, integers, x);
}
Value Arithmetic::fromBits(Value x) const {
  return arith::BitcastOp::create(*b, at, floats, x);
}
Value Arithmetic::addInt(Value x, Value y) const {
  return arith::AddIOp::create(*b, at, x, y);
}
Value Arithmetic::subInt(Value x, Value y) const {
  return arith::SubIOp::create(*b, at, x, y);
}
Value Arithmetic::andInt(Value x, Value y) const {
  return arith::AndIOp::create(*b, at, x, y);
}
Value Arithmetic::xorInt(Value x, Value y) const {
  return arith::XOrIOp::create(*b, at, x, y);
}
Value Arithmetic::shiftLeft(Value x, int64_t places) const {
  return arith::ShLIOp::create(*b, at, x, integer(places));
}
Value Arithmetic::shiftRight(Value x, int64_t places) const {
  return arith::ShRUIOp::create(*b, at, x, integer(places));
}
Value Arithmetic::shiftRightSigned(Value x, int64_t places) const {
  return arith::ShRSIOp::create(*b, at, x, integer(places));
}
Value Arithmetic::compareInt(arith::CmpIPredicate predicate, Value x,
                             Value y) const {
  return arith::CmpIOp::create(*b, at, predicate, x, y);
}

Value Arithmetic::widen(Value x) const {
  return isDouble() ? x
                    : Value(arith::ExtFOp::create(*b, at, wide().type(), x));
}
Value Arithmetic::narrow(Value x) const {
  return isDouble() ? x : Value(arith::TruncFOp::create(*b, at, floats, x));
}
