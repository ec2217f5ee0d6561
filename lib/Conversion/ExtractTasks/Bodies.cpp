//===- Bodies.cpp - what the body of a linalg op computes ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

std::optional<int64_t> pruner::flopsOf(Operation *op) {
  using Flops = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Flops>(op)
      .Case<arith::ConstantOp, arith::SelectOp, linalg::YieldOp, arith::ExtFOp,
            arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
            arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
            arith::BitcastOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [](auto) { return Flops(0); })
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
            arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
            arith::MaxNumFOp, arith::MinNumFOp, arith::CmpFOp>(
          [](auto) { return Flops(1); })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
            arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::MaxSIOp,
            arith::MaxUIOp, arith::MinSIOp, arith::MinUIOp, arith::CmpIOp,
            arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto) { return Flops(1); })
      .Case<math::AbsFOp, math::CeilOp, math::CopySignOp, math::CosOp,
            math::ErfOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
            math::FloorOp, math::LogOp, math::Log2Op, math::Log1pOp,
            math::PowFOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
            math::SqrtOp, math::TanhOp>([](auto) { return Flops(1); })
      .Case<math::FmaOp>([](auto) { return Flops(2); })
      .Default([](Operation *) { return Flops(); });
}

bool pruner::isTaskElementType(Type type) {
  if (type.isF64() || type.isF32() || type.isF16() || type.isBF16())
    return true;
  return type.isSignlessInteger() &&
         llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                            type.getIntOrFloatBitWidth());
}

StringRef pruner::combinerName(Combiner combiner) {
  switch (combiner) {
  case Combiner::Sum:
    return "sum";
  case Combiner::Product:
    return "product";
  case Combiner::Max:
    return "max";
  case Combiner::Min:
    return "min";
  case Combiner::And:
    return "and";
  case Combiner::Or:
    return "or";
  case Combiner::Xor:
    return "xor";
  }
  llvm_unreachable("a combiner");
}

static std::optional<Combiner> combinerOf(Operation *op) {
  using Match = std::optional<Combiner>;
  return llvm::TypeSwitch<Operation *, Match>(op)
      .Case<arith::AddFOp, arith::AddIOp>(
          [](auto) { return Match(Combiner::Sum); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return Match(Combiner::Product); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            arith::MaxUIOp>([](auto) { return Match(Combiner::Max); })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            arith::MinUIOp>([](auto) { return Match(Combiner::Min); })
      .Case<arith::AndIOp>([](auto) { return Match(Combiner::And); })
      .Case<arith::OrIOp>([](auto) { return Match(Combiner::Or); })
      .Case<arith::XOrIOp>([](auto) { return Match(Combiner::Xor); })
      .Default([](Operation *) { return Match(); });
}

/// Whether the comparison is "greater" (true) or "less" (false). Unordered
/// comparisons would make the result depend on where a NaN comes.
static std::optional<bool> isGreater(Operation *compare) {
  if (auto op = dyn_cast<arith::CmpFOp>(compare)) {
    switch (op.getPredicate()) {
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::OGE:
      return true;
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::OLE:
      return false;
    default:
      return std::nullopt;
    }
  }
  auto op = dyn_cast<arith::CmpIOp>(compare);
  if (!op)
    return std::nullopt;
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    return true;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    return false;
  default:
    return std::nullopt;
  }
}

/// select(a > b, a, b) and its relatives.
static std::optional<CombinerMatch> matchSelect(arith::SelectOp select,
                                                Value acc) {
  Operation *compare = select.getCondition().getDefiningOp();
  if (!compare)
    return std::nullopt;
  std::optional<bool> greater = isGreater(compare);
  if (!greater)
    return std::nullopt;
  Value a = compare->getOperand(0), b = compare->getOperand(1);
  Value yes = select.getTrueValue(), no = select.getFalseValue();
  bool straight = yes == a && no == b;
  if ((!straight && (yes != b || no != a)) || a == b)
    return std::nullopt;
  Value other = a == acc ? b : b == acc ? a : Value();
  if (!other || llvm::range_size(acc.getUses()) != 2)
    return std::nullopt;
  return CombinerMatch{*greater == straight ? Combiner::Max : Combiner::Min,
                       other};
}

/// Whether `value` is computed from `from` inside its block.
static bool dependsOn(Value value, Value from) {
  if (value == from)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != from.getParentBlock())
    return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, from); });
}

std::optional<CombinerMatch> pruner::matchCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return std::nullopt;
  Value acc = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!last || last->getBlock() != op.getBlock())
    return std::nullopt;
  std::optional<CombinerMatch> match;
  if (auto select = dyn_cast<arith::SelectOp>(last)) {
    match = matchSelect(select, acc);
  } else if (isa<arith::SubFOp, arith::SubIOp>(last)) {
    if (last->getOperand(0) == acc)
      match = CombinerMatch{Combiner::Sum, last->getOperand(1)};
  } else if (std::optional<Combiner> combiner = combinerOf(last)) {
    if (last->getOperand(0) == acc)
      match = CombinerMatch{*combiner, last->getOperand(1)};
    else if (last->getOperand(1) == acc)
      match = CombinerMatch{*combiner, last->getOperand(0)};
  }
  if (!match || dependsOn(match->contribution, acc))
    return std::nullopt;
  return match;
}

/// The block argument that `value` is after any number of casts.
static BlockArgument behindCasts(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<CastOpInterface>(op) || op->getNumOperands() != 1)
      return {};
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

std::optional<std::pair<OpOperand *, OpOperand *>>
pruner::matchMultiplyAdd(linalg::LinalgOp op) {
  std::optional<CombinerMatch> match = matchCombiner(op);
  if (!match || match->combiner != Combiner::Sum)
    return std::nullopt;
  Operation *product = match->contribution.getDefiningOp();
  while (isa_and_nonnull<CastOpInterface>(product))
    product = product->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return std::nullopt;
  BlockArgument a = behindCasts(product->getOperand(0)),
                b = behindCasts(product->getOperand(1));
  if (!a || !b || a == b || a.getOwner() != op.getBlock() ||
      b.getOwner() != op.getBlock())
    return std::nullopt;
  OpOperand *first = op.getMatchingOpOperand(a),
            *second = op.getMatchingOpOperand(b);
  if (first->getOperandNumber() > second->getOperandNumber())
    std::swap(first, second);
  return std::pair(first, second);
}
