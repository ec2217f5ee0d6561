//===- Numbers.cpp - mutations of numbers ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace pruner;

static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// A constant of `type`, a vector or a scalar, with this number or, for
/// integers, the nearest one.
static Value constantOf(OpBuilder &builder, Location loc, Type type,
                        double number) {
  Type element = getElementTypeOrSelf(type);
  TypedAttr value =
      isa<FloatType>(element)
          ? TypedAttr(builder.getFloatAttr(element, number))
          : TypedAttr(builder.getIntegerAttr(element, int64_t(number)));
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(builder, loc, type, value);
}

/// The number of all elements of a constant.
static std::optional<double> numberOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValueAsDouble();
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return double(integer.getValue().getSExtValue());
  return std::nullopt;
}

/// The constant operand of a binary op, and its number.
static std::optional<std::pair<unsigned, double>>
constantOperand(Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  for (unsigned n : {1u, 0u})
    if (auto number = numberOf(op->getOperand(n)))
      return std::pair(n, *number);
  return std::nullopt;
}

static void setConstant(Operation *op, unsigned n, double number) {
  OpBuilder builder(op);
  op->setOperand(n, constantOf(builder, op->getLoc(),
                               op->getOperand(n).getType(), number));
}

static void addRenamed(Operation *op, MutationKind kind, StringRef to,
                       MutationCollector &collector) {
  collector.add(kind,
                op->getName().getStringRef().str() + " becomes " + to.str(),
                [op, to = to.str()] {
                  OpBuilder builder(op);
                  OperationState state(op->getLoc(), to);
                  state.addOperands(op->getOperands());
                  state.addTypes(op->getResultTypes());
                  op->getResult(0).replaceAllUsesWith(
                      builder.create(state)->getResult(0));
                  op->erase();
                });
}

/// max(min(x, hi), lo), or min and max exchanged.
static Operation *innerClamp(Operation *op) {
  auto known = constantOperand(op);
  Operation *inner =
      known ? op->getOperand(1 - known->first).getDefiningOp() : nullptr;
  bool other =
      (isa<arith::MinSIOp>(op) && isa_and_nonnull<arith::MaxSIOp>(inner)) ||
      (isa<arith::MaxSIOp>(op) && isa_and_nonnull<arith::MinSIOp>(inner)) ||
      (isa<arith::MinimumFOp>(op) &&
       isa_and_nonnull<arith::MaximumFOp>(inner)) ||
      (isa<arith::MaximumFOp>(op) && isa_and_nonnull<arith::MinimumFOp>(inner));
  return other && constantOperand(inner) ? inner : nullptr;
}

/// Choose between both ends by the sign of x.
static void replaceBySign(Operation *op, Operation *inner) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  unsigned n = constantOperand(op)->first, m = constantOperand(inner)->first;
  Value x = inner->getOperand(1 - m), outerEnd = op->getOperand(n),
        innerEnd = inner->getOperand(m);
  bool outerIsHigh = isa<arith::MinSIOp, arith::MinimumFOp>(op);
  Value zero = constantOf(builder, loc, x.getType(), 0), negative;
  if (isFloatLike(x.getType()))
    negative =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, zero);
  else
    negative =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, x, zero);
  Value low = outerIsHigh ? innerEnd : outerEnd,
        high = outerIsHigh ? outerEnd : innerEnd;
  Value chosen = arith::SelectOp::create(builder, loc, negative, low, high);
  op->getResult(0).replaceAllUsesWith(chosen);
}

static void collectRequantization(Operation *op, MutationCollector &collector) {
  auto kind = MutationKind::Requantization;
  if (isa<math::RoundEvenOp>(op))
    for (const char *to : {"math.round", "math.trunc", "math.floor"})
      addRenamed(op, kind, to, collector);
  auto known = constantOperand(op);
  if (!known)
    return;
  auto [n, number] = *known;
  auto change = [&, n = n](const std::string &what, double to) {
    collector.add(kind, what, [op, n, to] { setConstant(op, n, to); });
  };
  if (isa<arith::MulFOp>(op)) {
    change("a scale times 100", number * 100);
    change("a scale times 1 + 2^-7", number * (1 + 0x1p-7));
    change("a scale times 1 - 2^-7", number * (1 - 0x1p-7));
  } else if (isa<arith::MulIOp>(op)) {
    change("a multiplier times 1 + 2^-7",
           number + std::max(1.0, std::floor(number / 128)));
  } else if (isa<arith::AddIOp, arith::SubIOp, arith::AddFOp>(op)) {
    change("a zero point off by 30", number + 30);
    change("a zero point off by one", number + 1);
  } else if (isa<arith::ShRSIOp, arith::ShRUIOp>(op)) {
    change("a shift by one less", std::max(0.0, number - 1));
  } else if (isa<arith::MaxSIOp, arith::MinSIOp, arith::MaximumFOp,
                 arith::MinimumFOp>(op) &&
             std::isfinite(number)) {
    for (double by : {-1.0, 1.0})
      change("an end of a clamp off by one", number + by);
    collector.add(kind, "a clamp is left out", [op, n = n] {
      op->getResult(0).replaceAllUsesWith(op->getOperand(1 - n));
    });
    if (Operation *inner = innerClamp(op))
      collector.add(kind, "a clamp becomes a choice by the sign",
                    [op, inner] { replaceBySign(op, inner); });
  }
}

/// Operand or result `value` without its high half, sign-extended.
static Value lowHalf(OpBuilder &builder, Location loc, Value value) {
  unsigned width =
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  Type half = withElement(value.getType(), builder.getIntegerType(width / 2));
  Value low = arith::TruncIOp::create(builder, loc, half, value);
  return arith::ExtSIOp::create(builder, loc, value.getType(), low);
}

static void collectHighHalf(Operation *op, MutationCollector &collector) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp,
           arith::MinSIOp, arith::CmpIOp, arith::ShRSIOp, arith::SIToFPOp,
           arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return;
  auto isWide = [](Value value) {
    Type element = getElementTypeOrSelf(value.getType());
    return element.isInteger(64) || element.isInteger(32);
  };
  std::string name = op->getName().getStringRef().str();
  for (unsigned n = 0; n < op->getNumOperands(); ++n)
    if (isWide(op->getOperand(n)) && !numberOf(op->getOperand(n)))
      collector.add(
          MutationKind::HighHalf,
          name + " without the high half of operand " + std::to_string(n),
          [op, n] {
            OpBuilder builder(op);
            op->setOperand(n,
                           lowHalf(builder, op->getLoc(), op->getOperand(n)));
          });
}

static arith::CmpFPredicate otherOrder(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  static const std::pair<P, P> pairs[] = {{P::OEQ, P::UEQ}, {P::OGT, P::UGT},
                                          {P::OGE, P::UGE}, {P::OLT, P::ULT},
                                          {P::OLE, P::ULE}, {P::ONE, P::UNE}};
  for (auto [ordered, unordered] : pairs) {
    if (predicate == ordered)
      return unordered;
    if (predicate == unordered)
      return ordered;
  }
  return predicate;
}

static void collectNotANumber(Operation *op, MutationCollector &collector) {
  auto kind = MutationKind::NotANumber;
  static const std::pair<StringRef, StringRef> others[] = {
      {"arith.maximumf", "arith.maxnumf"},
      {"arith.maxnumf", "arith.maximumf"},
      {"arith.minimumf", "arith.minnumf"},
      {"arith.minnumf", "arith.minimumf"}};
  for (auto [from, to] : others)
    if (op->getName().getStringRef() == from)
      addRenamed(op, kind, to, collector);
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    auto other = otherOrder(compare.getPredicate());
    if (other != compare.getPredicate())
      collector.add(
          kind, "arith.cmpf takes NaN for the opposite",
          [compare, other]() mutable { compare.setPredicate(other); });
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || !isFloatLike(constant.getType()))
    return;
  auto number = numberOf(constant.getResult());
  if (!number || !std::isinf(*number))
    return;
  auto semantics = [constant]() mutable {
    return &cast<FloatType>(getElementTypeOrSelf(constant.getType()))
                .getFloatSemantics();
  };
  bool ignored;
  APFloat largest = APFloat::getLargest(*semantics(), *number < 0);
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &ignored);
  double sign = *number < 0 ? -1 : 1;
  for (double other : {largest.convertToDouble(), sign * 1e4})
    collector.add(
        kind, "a finite number for an infinity", [constant, other]() mutable {
          OpBuilder builder(constant);
          Value changed =
              constantOf(builder, constant.getLoc(), constant.getType(), other);
          constant.getResult().replaceAllUsesWith(changed);
        });
}

static void collectMasks(Operation *op, MutationCollector &collector) {
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || select.getType().isIndex())
    return;
  for (bool value : {false, true})
    collector.add(MutationKind::Mask,
                  value ? "a mask holds everywhere" : "a mask holds nowhere",
                  [select, value]() mutable {
                    select.getResult().replaceAllUsesWith(
                        value ? select.getTrueValue() : select.getFalseValue());
                  });
  collector.add(MutationKind::Mask, "a mask is inverted", [select]() mutable {
    Value kept = select.getTrueValue();
    select.getTrueValueMutable().assign(select.getFalseValue());
    select.getFalseValueMutable().assign(kept);
  });
}

static void collectSigns(Operation *op, MutationCollector &collector) {
  static const std::pair<StringRef, StringRef> others[] = {
      {"arith.extsi", "arith.extui"},   {"arith.sitofp", "arith.uitofp"},
      {"arith.maxsi", "arith.maxui"},   {"arith.minsi", "arith.minui"},
      {"arith.divsi", "arith.divui"},   {"arith.shrsi", "arith.shrui"},
      {"arith.fptosi", "arith.fptoui"}, {"arith.remsi", "arith.remui"}};
  if (isIntegerLike(op->getResult(0).getType()) ||
      isFloatLike(op->getResult(0).getType()))
    for (auto [a, b] : others)
      for (auto [from, to] : {std::pair(a, b), {b, a}})
        if (op->getName().getStringRef() == from)
          addRenamed(op, MutationKind::Sign, to, collector);
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !isIntegerLike(compare.getLhs().getType()))
    return;
  using P = arith::CmpIPredicate;
  static const std::pair<P, P> predicates[] = {
      {P::slt, P::ult}, {P::sle, P::ule}, {P::sgt, P::ugt}, {P::sge, P::uge}};
  for (auto [a, b] : predicates)
    for (auto [from, to] : {std::pair(a, b), {b, a}})
      if (compare.getPredicate() == from)
        collector.add(
            MutationKind::Sign, "arith.cmpi of the other signedness",
            [compare, to = to]() mutable { compare.setPredicate(to); });
}

static bool isNarrowFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

static bool isNarrowArithmetic(Operation *op) {
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                         arith::DivFOp>(op) &&
         isNarrowFloat(op->getResult(0).getType());
}

/// A copy of `op` on operands extended to f32; `given` replaces operand `n`.
static Value widened(OpBuilder &builder, Operation *op, unsigned n,
                     Value given) {
  OperationState state(op->getLoc(), op->getName());
  for (auto [at, operand] : llvm::enumerate(op->getOperands())) {
    Type wide = withElement(operand.getType(), builder.getF32Type());
    state.addOperands(given && at == n
                          ? given
                          : Value(arith::ExtFOp::create(builder, op->getLoc(),
                                                        wide, operand)));
  }
  Type result = op->getResult(0).getType();
  state.addTypes(isNarrowFloat(result)
                     ? withElement(result, builder.getF32Type())
                     : result);
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    state.addAttribute("predicate", compare.getPredicateAttr());
  return builder.create(state)->getResult(0);
}

static void collectRoundings(Operation *op, MutationCollector &collector) {
  // To a narrow type and back.
  auto extend = dyn_cast<arith::ExtFOp>(op);
  auto narrow =
      extend ? extend.getIn().getDefiningOp<arith::TruncFOp>() : nullptr;
  if (narrow && narrow.getIn().getType() == extend.getType())
    collector.add(MutationKind::Rounding, "a rounding is left out",
                  [extend, narrow]() mutable {
                    extend.getResult().replaceAllUsesWith(narrow.getIn());
                  });
  if (!isNarrowArithmetic(op) &&
      !(isa<arith::CmpFOp>(op) && isNarrowFloat(op->getOperand(0).getType())))
    return;
  for (unsigned n = 0; n < op->getNumOperands(); ++n) {
    Operation *first = op->getOperand(n).getDefiningOp();
    if (!isNarrowArithmetic(first))
      continue;
    collector.add(
        MutationKind::Rounding,
        first->getName().getStringRef().str() + " is not rounded before " +
            op->getName().getStringRef().str(),
        [op, first, n] {
          OpBuilder builder(op);
          Value wide =
              widened(builder, op, n, widened(builder, first, 0, Value()));
          if (wide.getType() != op->getResult(0).getType())
            wide = arith::TruncFOp::create(builder, op->getLoc(),
                                           op->getResult(0).getType(), wide);
          op->getResult(0).replaceAllUsesWith(wide);
        });
  }
}

static void collectExtrema(Operation *op, MutationCollector &collector) {
  using K = vector::CombiningKind;
  auto reduction = dyn_cast<vector::ReductionOp>(op);
  if (!reduction || reduction.getKind() == K::ADD ||
      reduction.getKind() == K::MUL)
    return;
  int64_t lanes = reduction.getSourceVectorType().getNumElements();
  if (lanes < 2)
    return;
  for (int64_t lane : {int64_t(0), lanes / 2, lanes - 1})
    collector.add(
        MutationKind::Extremum, "an extremum without a lane",
        [reduction, lane]() mutable {
          OpBuilder builder(reduction);
          Value other = vector::ExtractOp::create(builder, reduction.getLoc(),
                                                  reduction.getVector(),
                                                  lane > 0 ? lane - 1 : 1);
          reduction.getVectorMutable().assign(vector::InsertOp::create(
              builder, reduction.getLoc(), other, reduction.getVector(), lane));
        });
}

void pruner::collectNumbers(Operation *op, MutationCollector &collector) {
  collectExtrema(op, collector);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return;
  collectNotANumber(op, collector);
  if (op->getNumOperands() == 0)
    return;
  Type type = op->getResult(0).getType();
  if (isFloatLike(type) || isIntegerLike(type)) {
    collectRequantization(op, collector);
    collectHighHalf(op, collector);
    collectMasks(op, collector);
    collectSigns(op, collector);
    collectRoundings(op, collector);
  }
}
