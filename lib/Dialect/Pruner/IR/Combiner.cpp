//===- Combiner.cpp - the operation that accumulates ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

StringRef pruner::combinerName(Combiner combiner) {
  static constexpr StringLiteral names[] = {"sum", "product", "max", "min",
                                            "and", "or",      "xor"};
  return names[unsigned(combiner)];
}

/// What `op` does if it alone can join partial results.
static std::optional<Combiner> combinerOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Combiner>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Combiner::Sum; })
      .Case<arith::MulFOp, arith::MulIOp>(
          [](auto) { return Combiner::Product; })
      .Case<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp,
            arith::MaxUIOp>([](auto) { return Combiner::Max; })
      .Case<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp,
            arith::MinUIOp>([](auto) { return Combiner::Min; })
      .Case<arith::AndIOp>([](auto) { return Combiner::And; })
      .Case<arith::OrIOp>([](auto) { return Combiner::Or; })
      .Case<arith::XOrIOp>([](auto) { return Combiner::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

/// Whether the comparison is "greater" (true) or "less" (false). Unordered
/// comparisons would make the result depend on where a NaN comes.
static std::optional<bool> isGreater(Operation *compare) {
  bool greater = false, less = false;
  if (auto op = dyn_cast<arith::CmpFOp>(compare)) {
    using P = arith::CmpFPredicate;
    greater = llvm::is_contained({P::OGT, P::OGE}, op.getPredicate());
    less = llvm::is_contained({P::OLT, P::OLE}, op.getPredicate());
  } else if (auto op = dyn_cast<arith::CmpIOp>(compare)) {
    using P = arith::CmpIPredicate;
    greater =
        llvm::is_contained({P::sgt, P::sge, P::ugt, P::uge}, op.getPredicate());
    less =
        llvm::is_contained({P::slt, P::sle, P::ult, P::ule}, op.getPredicate());
  }
  return greater || less ? std::optional(greater) : std::nullopt;
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

/// Whether `value` is computed from `from` inside its block. Looks at each
/// value once: bodies that square again and again have many ways to one.
static bool dependsOn(Value value, Value from) {
  llvm::SmallSetVector<Value, 8> behind;
  behind.insert(value);
  for (size_t n = 0; n < behind.size(); ++n) {
    if (behind[n] == from)
      return true;
    Operation *op = behind[n].getDefiningOp();
    if (op && op->getBlock() == from.getParentBlock())
      behind.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

std::optional<CombinerMatch> pruner::matchCombiner(Block &body) {
  Value acc = body.getArguments().back();
  Operation *last = body.getTerminator()->getOperand(0).getDefiningOp();
  if (!last || last->getBlock() != &body)
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

Operation *pruner::getCombiner(Block &body) {
  Value acc = body.getArguments().back();
  if (!acc.hasOneUse() || !matchCombiner(body))
    return nullptr;
  Operation *last = body.getTerminator()->getOperand(0).getDefiningOp();
  return combinerOf(last) ? last : nullptr;
}

Value pruner::combineBy(OpBuilder &builder, Location loc, Operation *combiner,
                        Value a, Value b) {
  OperationState state(loc, combiner->getName(), ValueRange{a, b},
                       TypeRange{a.getType()}, combiner->getAttrs());
  return builder.create(state)->getResult(0);
}
