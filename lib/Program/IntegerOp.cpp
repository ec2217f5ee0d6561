//===- IntegerOp.cpp - operations on integers as plain data ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/IntegerOp.h"

#include "llvm/ADT/StringSwitch.h"

using namespace pruner;
using llvm::APInt;

std::optional<IntegerOp> pruner::integerOpOf(llvm::StringRef name,
                                             uint64_t predicate) {
  using Found = std::optional<IntegerOp>;
  if (name == "arith.cmpi") {
    uint64_t op = uint64_t(IntegerOp::Equal) + predicate;
    return op <= uint64_t(IntegerOp::GreaterEqualU) ? Found(IntegerOp(op))
                                                    : std::nullopt;
  }
  return llvm::StringSwitch<Found>(name)
      .Case("arith.addi", IntegerOp::Add)
      .Case("arith.subi", IntegerOp::Sub)
      .Case("arith.muli", IntegerOp::Mul)
      .Case("arith.divsi", IntegerOp::DivS)
      .Case("arith.divui", IntegerOp::DivU)
      .Case("arith.ceildivsi", IntegerOp::CeilDivS)
      .Case("arith.ceildivui", IntegerOp::CeilDivU)
      .Case("arith.floordivsi", IntegerOp::FloorDivS)
      .Case("arith.remsi", IntegerOp::RemS)
      .Case("arith.remui", IntegerOp::RemU)
      .Case("arith.andi", IntegerOp::And)
      .Case("arith.ori", IntegerOp::Or)
      .Case("arith.xori", IntegerOp::Xor)
      .Case("arith.maxsi", IntegerOp::MaxS)
      .Case("arith.maxui", IntegerOp::MaxU)
      .Case("arith.minsi", IntegerOp::MinS)
      .Case("arith.minui", IntegerOp::MinU)
      .Case("arith.shli", IntegerOp::ShL)
      .Case("arith.shrsi", IntegerOp::ShRS)
      .Case("arith.shrui", IntegerOp::ShRU)
      .Case("math.absi", IntegerOp::Abs)
      .Cases({"arith.extsi", "arith.trunci", "arith.index_cast"},
             IntegerOp::CastS)
      .Cases({"arith.extui", "arith.index_castui"}, IntegerOp::CastU)
      .Default(std::nullopt);
}

bool pruner::isComparison(IntegerOp op) {
  return op >= IntegerOp::Equal && op <= IntegerOp::GreaterEqualU;
}

bool pruner::isDivision(IntegerOp op) {
  return op >= IntegerOp::DivS && op <= IntegerOp::RemU;
}

bool pruner::mayOverflow(IntegerOp op) {
  return op == IntegerOp::DivS || op == IntegerOp::CeilDivS ||
         op == IntegerOp::FloorDivS || op == IntegerOp::RemS;
}

/// A quotient or remainder that is defined.
static APInt divide(IntegerOp op, const APInt &a, const APInt &b) {
  const APInt one(a.getBitWidth(), 1);
  // Whether the exact quotient is below zero, where it has a fraction.
  bool below = a.isNegative() != b.isNegative();
  switch (op) {
  case IntegerOp::DivS:
    return a.sdiv(b);
  case IntegerOp::CeilDivS:
    return a.srem(b).isZero() || below ? a.sdiv(b) : a.sdiv(b) + one;
  case IntegerOp::FloorDivS:
    return a.srem(b).isZero() || !below ? a.sdiv(b) : a.sdiv(b) - one;
  case IntegerOp::RemS:
    return a.srem(b);
  case IntegerOp::DivU:
    return a.udiv(b);
  case IntegerOp::CeilDivU:
    return a.urem(b).isZero() ? a.udiv(b) : a.udiv(b) + one;
  default:
    return a.urem(b);
  }
}

static bool compare(IntegerOp op, const APInt &a, const APInt &b) {
  switch (op) {
  case IntegerOp::Equal:
    return a == b;
  case IntegerOp::NotEqual:
    return a != b;
  case IntegerOp::LessS:
    return a.slt(b);
  case IntegerOp::LessEqualS:
    return a.sle(b);
  case IntegerOp::GreaterS:
    return a.sgt(b);
  case IntegerOp::GreaterEqualS:
    return a.sge(b);
  case IntegerOp::LessU:
    return a.ult(b);
  case IntegerOp::LessEqualU:
    return a.ule(b);
  case IntegerOp::GreaterU:
    return a.ugt(b);
  default:
    return a.uge(b);
  }
}

std::optional<APInt>
pruner::evaluate(IntegerOp op, llvm::ArrayRef<APInt> operands, unsigned width) {
  const APInt &a = operands[0];
  if (op == IntegerOp::Abs)
    return a.abs(); // Of the least number itself.
  if (op == IntegerOp::CastS)
    return a.sextOrTrunc(width);
  if (op == IntegerOp::CastU)
    return a.zextOrTrunc(width);
  const APInt &b = operands[1];
  if (isComparison(op))
    return APInt(width, compare(op, a, b));
  if (isDivision(op)) {
    if (b.isZero() ||
        (mayOverflow(op) && a.isMinSignedValue() && b.isAllOnes()))
      return std::nullopt;
    return divide(op, a, b);
  }
  switch (op) {
  case IntegerOp::Add:
    return a + b;
  case IntegerOp::Sub:
    return a - b;
  case IntegerOp::Mul:
    return a * b;
  case IntegerOp::And:
    return a & b;
  case IntegerOp::Or:
    return a | b;
  case IntegerOp::Xor:
    return a ^ b;
  case IntegerOp::MaxS:
    return a.sgt(b) ? a : b;
  case IntegerOp::MaxU:
    return a.ugt(b) ? a : b;
  case IntegerOp::MinS:
    return a.slt(b) ? a : b;
  case IntegerOp::MinU:
    return a.ult(b) ? a : b;
  default:
    break;
  }
  if (b.uge(a.getBitWidth()))
    return std::nullopt;
  return op == IntegerOp::ShL    ? a.shl(b)
         : op == IntegerOp::ShRS ? a.ashr(b)
                                 : a.lshr(b);
}
