//===- Combiner.cpp - the operation that accumulates ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

StringRef pruner::combinerName(Combiner combiner) {
  static constexpr StringLiteral names[] = {"sum", "product", "max", "min",
                                            "and", "or",      "xor"};
  return names[unsigned(combiner)];
}

/// The combiner of `op`, if `op` alone combines partial results.
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

namespace {
/// The value that a select takes, depending on how its two values compare.
struct Choice {
  Value less, equal, greater; ///< How the first value compares with the second.
  Value unordered;            ///< If one of them is NaN; null for integers.
};
} // namespace

/// The choice that `select` makes between `a` and `b`, if its condition
/// compares them by size.
static std::optional<Choice> choiceOf(arith::SelectOp select, Value a,
                                      Value b) {
  auto pick = [&](bool holds) {
    return holds ? select.getTrueValue() : select.getFalseValue();
  };
  auto choice = [&](bool less, bool equal, bool greater) {
    return Choice{pick(less), pick(equal), pick(greater), Value()};
  };
  std::optional<Choice> found;
  Operation *compare = select.getCondition().getDefiningOp();
  if (auto op = dyn_cast<arith::CmpIOp>(compare)) {
    using P = arith::CmpIPredicate;
    P predicate = op.getPredicate();
    if (llvm::is_contained({P::sgt, P::ugt}, predicate))
      found = choice(false, false, true);
    else if (llvm::is_contained({P::sge, P::uge}, predicate))
      found = choice(false, true, true);
    else if (llvm::is_contained({P::slt, P::ult}, predicate))
      found = choice(true, false, false);
    else if (llvm::is_contained({P::sle, P::ule}, predicate))
      found = choice(true, true, false);
  } else if (auto op = dyn_cast<arith::CmpFOp>(compare)) {
    using P = arith::CmpFPredicate;
    P predicate = op.getPredicate();
    if (llvm::is_contained({P::OGT, P::UGT}, predicate))
      found = choice(false, false, true);
    else if (llvm::is_contained({P::OGE, P::UGE}, predicate))
      found = choice(false, true, true);
    else if (llvm::is_contained({P::OLT, P::ULT}, predicate))
      found = choice(true, false, false);
    else if (llvm::is_contained({P::OLE, P::ULE}, predicate))
      found = choice(true, true, false);
    if (found)
      found->unordered =
          pick(llvm::is_contained({P::UGT, P::UGE, P::ULT, P::ULE}, predicate));
  }
  return found;
}

/// Matches a comparison of the accumulator acc with the contribution x, and a
/// select of one of them. Of two different numbers every order takes the same
/// one. The remaining values are not ordered by the comparison:
///
/// | operands | taken | result over all elements |
/// |---|---|---|
/// | equal integers | either | the same in every order |
/// | acc or x is NaN | acc | NaN if the first acc is NaN, otherwise NaNs are
/// ignored | | acc or x is NaN | x | the result of the elements after the last
/// NaN: depends on the order | | zeros of two signs | acc | the first zero:
/// depends on the order | | zeros of two signs | x | the last zero: depends on
/// the order |
///
/// A select of floats may therefore only be reordered if the comparison has the
/// flag `nsz`, and also `nnan` unless it takes acc for NaN.
static std::optional<CombinerMatch> matchSelect(arith::SelectOp select,
                                                Value acc) {
  Operation *compare = select.getCondition().getDefiningOp();
  if (!isa_and_nonnull<arith::CmpFOp, arith::CmpIOp>(compare) ||
      compare->getBlock() != select->getBlock())
    return std::nullopt;
  Value a = compare->getOperand(0), b = compare->getOperand(1);
  Value other = a == acc ? b : b == acc ? a : Value();
  if (!other || a == b || llvm::range_size(acc.getUses()) != 2)
    return std::nullopt;
  std::optional<Choice> choice = choiceOf(select, a, b);
  if (!choice)
    return std::nullopt;
  bool isMax = choice->less == b && choice->greater == a;
  bool isMin = choice->less == a && choice->greater == b;
  if (!isMax && !isMin)
    return std::nullopt;
  if (auto op = dyn_cast<arith::CmpFOp>(compare)) {
    using Flags = arith::FastMathFlags;
    if (!bitEnumContainsAll(op.getFastmath(), Flags::nsz) ||
        (choice->unordered != acc &&
         !bitEnumContainsAll(op.getFastmath(), Flags::nnan)))
      return std::nullopt;
  }
  return CombinerMatch{isMax ? Combiner::Max : Combiner::Min, other};
}

/// True if a sum or product of integers must not overflow in the order in which
/// it is written. Another order may overflow.
static bool forbidsOverflow(Operation *op) {
  auto integer = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return integer && integer.getOverflowAttr().getValue() !=
                        arith::IntegerOverflowFlags::none;
}

/// True if `value` depends on `from` within its block, or may depend on it
/// through a region, which is not inspected. Visits each value once, because a
/// body of repeated squarings has exponentially many paths.
static bool dependsOn(Value value, Value from) {
  llvm::SmallSetVector<Value, 8> behind;
  behind.insert(value);
  for (size_t n = 0; n < behind.size(); ++n) {
    if (behind[n] == from)
      return true;
    Operation *op = behind[n].getDefiningOp();
    if (!op || op->getBlock() != from.getParentBlock())
      continue;
    if (op->getNumRegions() != 0)
      return true;
    behind.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

std::optional<CombinerMatch> pruner::matchCombiner(Block &body) {
  // If there are several accumulators, none is combined alone.
  Operation *yield = body.getTerminator();
  if (yield->getNumOperands() != 1)
    return std::nullopt;
  Value acc = body.getArguments().back();
  Operation *last = yield->getOperand(0).getDefiningOp();
  if (!last || last->getBlock() != &body || forbidsOverflow(last))
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

/// The number that `value` rounds to tf32; null if it does not.
static Value roundedToTensorFloat(Value value) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  auto rounding = extension ? extension.getIn().getDefiningOp<arith::TruncFOp>()
                            : arith::TruncFOp();
  if (!rounding || !rounding.getType().isTF32() ||
      rounding.getRoundingmode() != arith::RoundingMode::to_nearest_away ||
      rounding.getIn().getType() != extension.getType())
    return Value();
  return rounding.getIn();
}

/// The argument that `value` extends, or rounds to tf32, and whether its
/// integers are signed.
static std::optional<std::pair<BlockArgument, bool>> extended(Value value) {
  if (auto argument =
          dyn_cast_or_null<BlockArgument>(roundedToTensorFloat(value)))
    return std::pair(argument, true);
  Operation *cast = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(cast))
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(cast->getOperand(0));
  if (!argument)
    return std::nullopt;
  return std::pair(argument, !isa<arith::ExtUIOp>(cast));
}

bool pruner::addsMultiplesOf(Block &body, unsigned input) {
  std::optional<CombinerMatch> match = matchCombiner(body);
  if (!match || match->combiner != Combiner::Sum)
    return false;
  Operation *product = match->contribution.getDefiningOp();
  if (!isa_and_nonnull<arith::MulIOp, arith::MulFOp>(product))
    return false;
  return llvm::any_of(product->getOperands(), [&](Value factor) {
    if (auto factors = extended(factor))
      factor = factors->first;
    auto argument = dyn_cast<BlockArgument>(factor);
    return argument && argument.getOwner() == &body &&
           argument.getArgNumber() == input;
  });
}

std::optional<std::array<bool, 2>> pruner::matchExactProduct(Block &body) {
  if (body.getNumArguments() != 3 || !getCombiner(body))
    return std::nullopt;
  std::optional<CombinerMatch> match = matchCombiner(body);
  if (!match || match->combiner != Combiner::Sum)
    return std::nullopt;
  Operation *product = match->contribution.getDefiningOp();
  if (!isa_and_nonnull<arith::MulIOp, arith::MulFOp>(product) ||
      forbidsOverflow(product))
    return std::nullopt;
  auto a = extended(product->getOperand(0)),
       b = extended(product->getOperand(1));
  if (!a || !b || a->first.getArgNumber() + b->first.getArgNumber() != 1)
    return std::nullopt;
  if (a->first.getArgNumber() == 1)
    std::swap(a, b);
  return std::array<bool, 2>{a->second, b->second};
}

bool pruner::multipliesTensorFloats(Block &body) {
  if (!matchExactProduct(body))
    return false;
  Operation *product = matchCombiner(body)->contribution.getDefiningOp();
  return llvm::all_of(product->getOperands(), [](Value factor) {
    return bool(roundedToTensorFloat(factor));
  });
}

bool pruner::addsHalfProducts(Block &body) {
  if (body.getNumArguments() != 3)
    return false;
  auto sum = dyn_cast_or_null<arith::AddFOp>(getCombiner(body));
  std::optional<CombinerMatch> match = matchCombiner(body);
  if (!sum || !sum.getType().isF16() || !match)
    return false;
  auto product = match->contribution.getDefiningOp<arith::MulFOp>();
  if (!product || !product->hasOneUse())
    return false;
  auto isFree = [](arith::FastMathFlags flags) {
    return bitEnumContainsAll(flags, arith::FastMathFlags::contract);
  };
  auto a = dyn_cast<BlockArgument>(product.getLhs()),
       b = dyn_cast<BlockArgument>(product.getRhs());
  return a && b && a.getArgNumber() + b.getArgNumber() == 1 &&
         isFree(sum.getFastmath()) && isFree(product.getFastmath());
}

std::optional<std::array<bool, 2>> pruner::matchProduct(Block &body) {
  if (addsHalfProducts(body))
    return std::array<bool, 2>{true, true};
  return matchExactProduct(body);
}

TypedAttr pruner::neutralElement(Operation *combiner) {
  // Upstream's neutral element is 0, but 0 + -0 is 0.
  if (auto sum = dyn_cast<arith::AddFOp>(combiner)) {
    auto type = cast<FloatType>(getElementTypeOrSelf(sum.getType()));
    return FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  }
  return *arith::getNeutralElement(combiner);
}

Value pruner::combineBy(OpBuilder &builder, Location loc, Operation *combiner,
                        Value a, Value b) {
  OperationState state(loc, combiner->getName(), ValueRange{a, b},
                       TypeRange{a.getType()}, combiner->getAttrs());
  return builder.create(state)->getResult(0);
}
