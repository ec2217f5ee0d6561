//===- RealOperations.cpp - arith on floating-point ranges ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace pruner;
namespace arith = mlir::arith;

namespace {
enum Relation : unsigned { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };
} // namespace

/// The relations that may hold: less, equal, greater, unordered.
static unsigned relations(const RealRange &a, const RealRange &b) {
  unsigned result = a.nan || b.nan ? Unordered : 0;
  if (a.isEmpty() || b.isEmpty())
    return Unordered;
  if (a.lo < b.hi)
    result |= Less;
  if (a.hi > b.lo)
    result |= Greater;
  if (a.lo <= b.hi && b.lo <= a.hi)
    result |= Equal;
  return result;
}

/// The relations for which a predicate holds.
static unsigned relationsOf(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return 0;
  case P::OEQ:
    return Equal;
  case P::OGT:
    return Greater;
  case P::OGE:
    return Greater | Equal;
  case P::OLT:
    return Less;
  case P::OLE:
    return Less | Equal;
  case P::ONE:
    return Less | Greater;
  case P::ORD:
    return Less | Equal | Greater;
  case P::UEQ:
    return Unordered | Equal;
  case P::UGT:
    return Unordered | Greater;
  case P::UGE:
    return Unordered | Greater | Equal;
  case P::ULT:
    return Unordered | Less;
  case P::ULE:
    return Unordered | Less | Equal;
  case P::UNE:
    return Unordered | Less | Greater;
  case P::UNO:
    return Unordered;
  case P::AlwaysTrue:
    return Unordered | Less | Equal | Greater;
  }
  llvm_unreachable("no such predicate");
}

static IntegerRange compare(arith::CmpFPredicate predicate, const RealRange &a,
                            const RealRange &b) {
  unsigned may = relations(a, b), holds = relationsOf(predicate);
  return {(may & ~holds) == 0, (may & holds) != 0};
}

/// Rounds towards zero if the result fits; otherwise any integer.
static IntegerRange toInteger(RealRange x, unsigned width, bool isSigned) {
  double top = std::ldexp(1.0, int(width) - (isSigned ? 1 : 0));
  double least = isSigned ? -top : 0;
  if (x.isEmpty() || x.nan || !(std::trunc(x.lo) >= least) ||
      !(std::trunc(x.hi) < top) || (!isSigned && width >= 64))
    return allIntegers(width);
  IntegerRange result{int64_t(x.lo), int64_t(x.hi)};
  int64_t most = allIntegers(width).hi;
  if (result.lo <= most && result.hi > most && width > 1)
    return allIntegers(width);
  return {wrapInteger(result.lo, width), wrapInteger(result.hi, width)};
}

static RealRange fromInteger(IntegerRange x, unsigned width, bool isSigned,
                             const RealType &type) {
  auto real = [&](int64_t value) {
    if (isSigned)
      return double(width == 1 ? -value : value);
    uint64_t bits = uint64_t(value);
    return double(width == 64 ? bits : bits & ((uint64_t(1) << width) - 1));
  };
  double lo = real(x.lo), hi = real(x.hi);
  if (!isSigned && x.lo < 0 && x.hi >= 0)
    lo = 0, hi = real(-1);
  if (isSigned && width == 1)
    std::swap(lo, hi);
  bool exact = lo == hi && type.holds(lo) && std::fabs(lo) < 0x1p53;
  if (exact)
    return RealRange::exactly(lo);
  // Larger ones have been rounded to double.
  if (std::fabs(lo) >= 0x1p53)
    lo -= std::fabs(lo) * 0x1p-52;
  if (std::fabs(hi) >= 0x1p53)
    hi += std::fabs(hi) * 0x1p-52;
  return rounded({lo, hi, false}, type);
}

RealType pruner::resultType(mlir::Operation *op, mlir::FloatType type) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  bool contracts =
      flags && flags.getFastMathFlagsAttr() &&
      arith::bitEnumContainsAny(flags.getFastMathFlagsAttr().getValue(),
                                arith::FastMathFlags::contract);
  RealType result = RealType::of(type);
  return contracts ? result.undetermined() : result;
}

ScalarProgram::Apply ScalarProgram::realOperation(mlir::Operation *op,
                                                  bool anyOrder) {
  using Operands = const unsigned *;
  using Binary = RealRange (*)(RealRange, RealRange, const RealType &);
  auto lift = [](auto function) -> Apply {
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      result.real = function(state.slots[x[0]].real, state.slots[x[1]].real);
    };
  };
  if (auto compared = dyn_cast<arith::CmpFOp>(op)) {
    arith::CmpFPredicate predicate = compared.getPredicate();
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      result.integer =
          compare(predicate, state.slots[x[0]].real, state.slots[x[1]].real);
    };
  }
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    unsigned width = integerWidth(op->getResult(0).getType());
    bool isSigned = isa<arith::FPToSIOp>(op);
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      result.integer = toInteger(state.slots[x[0]].real, width, isSigned);
    };
  }
  if (op->getNumResults() != 1)
    return nullptr;
  auto floatType = dyn_cast<mlir::FloatType>(op->getResult(0).getType());
  if (!floatType)
    return nullptr;
  RealType type = resultType(op, floatType);
  if (anyOrder)
    type = type.undetermined();
  auto arithmetic = [&](Binary function) {
    return lift([=](const RealRange &a, const RealRange &b) {
      return function(a, b, type);
    });
  };
  if (isa<arith::AddFOp>(op))
    return arithmetic(pruner::add);
  if (isa<arith::SubFOp>(op))
    return arithmetic(subtract);
  if (isa<arith::MulFOp>(op))
    return arithmetic(multiply);
  if (isa<arith::DivFOp>(op))
    return arithmetic(divide);
  if (isa<arith::RemFOp>(op))
    return arithmetic(remainder);
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    bool propagate = isa<arith::MaximumFOp>(op);
    return lift([=](const RealRange &a, const RealRange &b) {
      return larger(a, b, propagate);
    });
  }
  if (isa<arith::MinimumFOp, arith::MinNumFOp>(op)) {
    bool propagate = isa<arith::MinimumFOp>(op);
    return lift([=](const RealRange &a, const RealRange &b) {
      return smaller(a, b, propagate);
    });
  }
  if (isa<arith::NegFOp>(op))
    return [](const State &state, Operands x, Cell &result, std::string &) {
      result.real = negate(state.slots[x[0]].real);
    };
  if (isa<arith::ExtFOp>(op))
    return [](const State &state, Operands x, Cell &result, std::string &) {
      result.real = state.slots[x[0]].real;
    };
  if (isa<arith::TruncFOp>(op))
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      RealRange value = state.slots[x[0]].real;
      bool exact = value.isPoint() && type.holds(value.lo);
      result.real = exact ? value : rounded(value, type);
    };
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    unsigned width = integerWidth(op->getOperand(0).getType());
    bool isSigned = isa<arith::SIToFPOp>(op);
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      result.real =
          fromInteger(state.slots[x[0]].integer, width, isSigned, type);
    };
  }
  if (isa<mlir::math::FPowIOp>(op)) {
    // Rounded to the type once.
    RealType inside =
        type.determined ? RealType::of(mlir::Float32Type::get(op->getContext()))
                        : type;
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      RealRange base = state.slots[x[0]].real;
      IntegerRange exponent = state.slots[x[1]].integer;
      int64_t n = exponent.lo;
      if (!exponent.isPoint() || n < -8 || n > 8) {
        result.real = RealRange::anything();
        return;
      }
      RealRange product = RealRange::exactly(1);
      for (int64_t k = 0; k < std::abs(n); ++k)
        product = multiply(product, base, inside);
      // Even powers of a number of either sign.
      if (n % 2 == 0 && !product.isEmpty())
        product.lo = std::max(product.lo, 0.0);
      if (n < 0)
        product = divide(RealRange::exactly(1), product, inside);
      result.real = type.determined ? rounded(product, type) : product;
    };
  }
  if (auto function = realFunction(op)) {
    unsigned count = op->getNumOperands();
    return [=](const State &state, Operands x, Cell &result, std::string &) {
      SmallVector<RealRange, 3> operands;
      for (unsigned n = 0; n < count; ++n)
        operands.push_back(state.slots[x[n]].real);
      result.real = function(operands);
    };
  }
  return nullptr;
}
