//===- ScalarSteps.cpp - scalar code and its discrete decisions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarSteps.h"

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Program/IntegerOp.h"
#include "pruner/Verification/ElementData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using namespace pruner;

static unsigned widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static uint64_t unsignedOf(int64_t value, unsigned width) {
  return width >= 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

static int64_t wrapped(uint64_t value, unsigned width) {
  if (width == 1)
    return int64_t(value & 1);
  return int64_t(value << (64 - width)) >> (64 - width);
}

Scalar pruner::narrowed(Scalar value, Type type) {
  if (!isa<FloatType>(type)) {
    value.integer = wrapped(uint64_t(value.integer), widthOf(type));
  } else if (type.isF32()) {
    value.real = double(float(value.real));
  } else if (auto element = elementTypeOf(type); element && !type.isF64()) {
    uint16_t bits = 0;
    writeElement(&bits, *element, 0, value.real);
    value.real = readElement(&bits, *element, 0);
  }
  return value;
}

bool pruner::isStep(Operation *op) {
  return isa<arith::CmpFOp, arith::CmpIOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp,
             arith::MaxUIOp, arith::MinUIOp, arith::FPToSIOp, arith::FPToUIOp,
             arith::TruncIOp, arith::ShRSIOp, arith::ShRUIOp, arith::DivSIOp,
             arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
             arith::ExtUIOp, arith::UIToFPOp, math::RoundOp, math::RoundEvenOp,
             math::FloorOp, math::CeilOp, math::TruncOp, math::AbsFOp,
             math::AbsIOp>(op);
}

/// The operation of integers that `op` is. Tasks are probed element by element,
/// so its name is looked up once.
static std::optional<IntegerOp> kindOf(Operation *op) {
  uint64_t predicate = 0;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    predicate = uint64_t(compare.getPredicate());
  static thread_local llvm::DenseMap<std::pair<TypeID, uint64_t>,
                                     std::optional<IntegerOp>>
      known;
  auto [entry, isNew] =
      known.try_emplace({op->getName().getTypeID(), predicate});
  if (isNew)
    entry->second = integerOpOf(op->getName().getStringRef(), predicate);
  return entry->second;
}

namespace {
/// Evaluates one op.
class Step {
public:
  Step(Operation *op, ArrayRef<Scalar> operands)
      : op(op), in(operands), type(op->getResult(0).getType()) {
    for (const Scalar &operand : operands)
      trail = mixTrails(trail, operand.trail);
  }

  bool run(Scalar &result) {
    result = Scalar();
    if (isa<FloatType>(type)) {
      std::optional<double> value = real();
      if (!value)
        return false;
      result.real = *value;
    } else {
      std::optional<int64_t> value =
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<FloatType>) &&
                  !isa<arith::SelectOp>(op)
              ? integerOfReals()
              : integer();
      if (!value)
        return false;
      result.integer = *value;
    }
    result.trail = trail;
    result = narrowed(result, type);
    return true;
  }

private:
  double x(unsigned n) const { return in[n].real; }
  int64_t i(unsigned n) const { return in[n].integer; }
  uint64_t u(unsigned n) const {
    return unsignedOf(in[n].integer, widthOf(op->getOperand(n).getType()));
  }

  /// Only the result matters of everything that led to it.
  double noted(double value) {
    trail = mixTrails(1, llvm::bit_cast<uint64_t>(value));
    return value;
  }
  int64_t noted(int64_t value) {
    trail = mixTrails(1, uint64_t(value));
    return value;
  }
  /// Also records the decision, in addition to what led here.
  void decide(uint64_t decision) { trail = mixTrails(trail, decision + 1); }
  /// Operand `n` is kept, and the other one does not matter.
  unsigned keep(unsigned n) {
    trail = mixTrails(in[n].trail, n + 1);
    return n;
  }

  double extremum(bool larger, bool propagates) {
    double a = x(0), b = x(1);
    if (std::isnan(a) || std::isnan(b)) {
      bool first = propagates ? std::isnan(a) : std::isnan(b);
      return x(keep(first ? 0 : 1));
    }
    bool first = larger ? a > b : a < b;
    return x(keep(first ? 0 : 1));
  }

  std::optional<double> real() {
    if (isa<arith::SelectOp>(op))
      return x(keep(i(0) ? 1 : 2));
    return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
        .Case<arith::AddFOp>([&](auto) { return x(0) + x(1); })
        .Case<arith::SubFOp>([&](auto) { return x(0) - x(1); })
        .Case<arith::MulFOp>([&](auto) { return x(0) * x(1); })
        .Case<arith::DivFOp>([&](auto) { return x(0) / x(1); })
        .Case<arith::NegFOp>([&](auto) { return -x(0); })
        .Case<arith::MaximumFOp>([&](auto) { return extremum(true, true); })
        .Case<arith::MinimumFOp>([&](auto) { return extremum(false, true); })
        .Case<arith::MaxNumFOp>([&](auto) { return extremum(true, false); })
        .Case<arith::MinNumFOp>([&](auto) { return extremum(false, false); })
        .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { return x(0); })
        .Case<arith::SIToFPOp>([&](auto) { return double(i(0)); })
        .Case<arith::UIToFPOp>([&](auto) {
          decide(i(0) < 0);
          return double(u(0));
        })
        .Case<math::AbsFOp>([&](auto) {
          decide(std::signbit(x(0)));
          return std::fabs(x(0));
        })
        .Case<math::CeilOp>([&](auto) { return noted(std::ceil(x(0))); })
        .Case<math::FloorOp>([&](auto) { return noted(std::floor(x(0))); })
        .Case<math::TruncOp>([&](auto) { return noted(std::trunc(x(0))); })
        .Case<math::RoundOp>([&](auto) { return noted(std::round(x(0))); })
        .Case<math::RoundEvenOp>(
            [&](auto) { return noted(std::nearbyint(x(0))); })
        .Case<math::FmaOp>([&](auto) { return std::fma(x(0), x(1), x(2)); })
        .Case<math::CopySignOp>([&](auto) { return std::copysign(x(0), x(1)); })
        .Case<math::SqrtOp>([&](auto) { return std::sqrt(x(0)); })
        .Case<math::RsqrtOp>([&](auto) { return 1 / std::sqrt(x(0)); })
        .Case<math::ExpOp>([&](auto) { return std::exp(x(0)); })
        .Case<math::Exp2Op>([&](auto) { return std::exp2(x(0)); })
        .Case<math::ExpM1Op>([&](auto) { return std::expm1(x(0)); })
        .Case<math::LogOp>([&](auto) { return std::log(x(0)); })
        .Case<math::Log2Op>([&](auto) { return std::log2(x(0)); })
        .Case<math::Log1pOp>([&](auto) { return std::log1p(x(0)); })
        .Case<math::TanhOp>([&](auto) { return std::tanh(x(0)); })
        .Case<math::ErfOp>([&](auto) { return std::erf(x(0)); })
        .Case<math::SinOp>([&](auto) { return std::sin(x(0)); })
        .Case<math::CosOp>([&](auto) { return std::cos(x(0)); })
        .Case<math::PowFOp>([&](auto) { return std::pow(x(0), x(1)); })
        .Default([](Operation *) { return std::nullopt; });
  }

  std::optional<int64_t> integerOfReals() {
    if (auto compare = dyn_cast<arith::CmpFOp>(op))
      return noted(int64_t(arith::applyCmpPredicate(
          compare.getPredicate(), llvm::APFloat(x(0)), llvm::APFloat(x(1)))));
    if (!isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return std::nullopt;
    bool isSigned = isa<arith::FPToSIOp>(op);
    int bits = int(widthOf(type));
    double above = std::ldexp(1.0, isSigned ? bits - 1 : bits);
    double whole = std::trunc(x(0));
    if (!(whole < above && whole >= (isSigned ? -above : 0)))
      return std::nullopt;
    return noted(isSigned ? int64_t(whole) : int64_t(uint64_t(whole)));
  }

  APInt bits(unsigned n) const {
    return APInt(widthOf(op->getOperand(n).getType()), uint64_t(i(n)),
                 /*isSigned=*/false, /*implicitTrunc=*/true);
  }

  /// Records the decisions that `kind` makes about its operands for the result
  /// `value`, and returns `value`.
  int64_t decided(IntegerOp kind, int64_t value) {
    switch (kind) {
    case IntegerOp::MaxS:
    case IntegerOp::MinS:
    case IntegerOp::MaxU:
    case IntegerOp::MinU:
      keep(value == i(0) && value != i(1) ? 0 : 1);
      return value;
    case IntegerOp::Abs:
      decide(i(0) < 0);
      return value;
    case IntegerOp::CastU:
      if (isa<arith::ExtUIOp>(op))
        decide(i(0) < 0);
      return value;
    case IntegerOp::CastS:
      // Dropped bits that are not copies of the sign.
      if (isa<arith::TruncIOp>(op))
        decide((uint64_t(i(0)) - uint64_t(value)) >> (widthOf(type) - 1));
      return value;
    case IntegerOp::ShRS:
    case IntegerOp::ShRU:
      return noted(value);
    case IntegerOp::RemS:
    case IntegerOp::RemU:
      return value;
    default:
      return isComparison(kind) || isDivision(kind) ? noted(value) : value;
    }
  }

  std::optional<int64_t> integer() {
    if (isa<arith::SelectOp>(op))
      return i(keep(i(0) ? 1 : 2));
    std::optional<IntegerOp> kind = kindOf(op);
    if (!kind || widthOf(type) > 64)
      return std::nullopt;
    SmallVector<APInt, 2> operands;
    for (Type from : op->getOperandTypes()) {
      if (widthOf(from) > 64)
        return std::nullopt;
      operands.push_back(bits(operands.size()));
    }
    std::optional<APInt> value = evaluate(*kind, operands, widthOf(type));
    if (!value)
      return std::nullopt;
    return decided(*kind, wrapped(value->getZExtValue(), widthOf(type)));
  }

  Operation *op;
  ArrayRef<Scalar> in;
  Type type;
  uint64_t trail = 0;
};
} // namespace

bool pruner::evaluateScalar(Operation *op, ArrayRef<Scalar> operands,
                            Scalar &result) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         Step(op, operands).run(result);
}
