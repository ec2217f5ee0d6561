//===- IntegerOperations.cpp - arith on integers --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace llvm;
using namespace pruner;
namespace arith = mlir::arith;

namespace {
/// A function of one or two integers, sign-extended from `width` bits;
/// std::nullopt if it is undefined.
using IntegerFunction = std::function<std::optional<int64_t>(int64_t, int64_t)>;
} // namespace

/// The low bits as an unsigned value.
static uint64_t bitsOf(int64_t value, unsigned width) {
  return width == 64 ? uint64_t(value)
                     : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

static std::optional<int64_t> divideTowards(int64_t a, int64_t b, int towards) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b, rest = a % b;
  bool negative = (rest < 0) != (b < 0);
  if (rest != 0 && towards < 0 && negative)
    return quotient - 1;
  if (rest != 0 && towards > 0 && !negative)
    return quotient + 1;
  return quotient;
}

static IntegerFunction unsignedFunction(mlir::Operation *op, unsigned width) {
  auto with = [=](auto function) -> IntegerFunction {
    return [=](int64_t a, int64_t b) -> std::optional<int64_t> {
      return function(bitsOf(a, width), bitsOf(b, width));
    };
  };
  using Result = std::optional<int64_t>;
  if (isa<arith::DivUIOp>(op))
    return with([](uint64_t a, uint64_t b) -> Result {
      return b ? Result(int64_t(a / b)) : Result();
    });
  if (isa<arith::CeilDivUIOp>(op))
    return with([](uint64_t a, uint64_t b) -> Result {
      return b ? Result(int64_t(a / b + (a % b != 0))) : Result();
    });
  if (isa<arith::RemUIOp>(op))
    return with([](uint64_t a, uint64_t b) -> Result {
      return b ? Result(int64_t(a % b)) : Result();
    });
  if (isa<arith::MaxUIOp>(op))
    return with([](uint64_t a, uint64_t b) -> Result {
      return int64_t(std::max(a, b));
    });
  if (isa<arith::MinUIOp>(op))
    return with([](uint64_t a, uint64_t b) -> Result {
      return int64_t(std::min(a, b));
    });
  if (isa<arith::ShRUIOp>(op))
    return with([=](uint64_t a, uint64_t b) -> Result {
      return b < width ? Result(int64_t(a >> b)) : Result();
    });
  if (isa<arith::ShLIOp>(op))
    return with([=](uint64_t a, uint64_t b) -> Result {
      return b < width ? Result(int64_t(a << b)) : Result();
    });
  return nullptr;
}

static IntegerFunction signedFunction(mlir::Operation *op, unsigned width) {
  using Result = std::optional<int64_t>;
  // A signed i1 is 0 or -1.
  auto value = [=](int64_t x) { return width == 1 ? -x : x; };
  if (isa<arith::AddIOp>(op))
    return [](int64_t a, int64_t b) -> Result {
      return int64_t(uint64_t(a) + uint64_t(b));
    };
  if (isa<arith::SubIOp>(op))
    return [](int64_t a, int64_t b) -> Result {
      return int64_t(uint64_t(a) - uint64_t(b));
    };
  if (isa<arith::MulIOp>(op))
    return [](int64_t a, int64_t b) -> Result {
      return int64_t(uint64_t(a) * uint64_t(b));
    };
  if (isa<arith::DivSIOp>(op))
    return [](int64_t a, int64_t b) { return divideTowards(a, b, 0); };
  if (isa<arith::FloorDivSIOp>(op))
    return [](int64_t a, int64_t b) { return divideTowards(a, b, -1); };
  if (isa<arith::CeilDivSIOp>(op))
    return [](int64_t a, int64_t b) { return divideTowards(a, b, 1); };
  if (isa<arith::RemSIOp>(op))
    return [](int64_t a, int64_t b) -> Result {
      if (b == 0)
        return std::nullopt;
      return b == -1 ? 0 : a % b; // INT64_MIN % -1 traps.
    };
  if (isa<arith::MaxSIOp>(op))
    return [=](int64_t a, int64_t b) -> Result {
      return value(a) > value(b) ? a : b;
    };
  if (isa<arith::MinSIOp>(op))
    return [=](int64_t a, int64_t b) -> Result {
      return value(a) < value(b) ? a : b;
    };
  if (isa<arith::AndIOp>(op))
    return [](int64_t a, int64_t b) -> Result { return a & b; };
  if (isa<arith::OrIOp>(op))
    return [](int64_t a, int64_t b) -> Result { return a | b; };
  if (isa<arith::XOrIOp>(op))
    return [](int64_t a, int64_t b) -> Result { return a ^ b; };
  if (isa<arith::ShRSIOp>(op))
    return [=](int64_t a, int64_t b) -> Result {
      return b >= 0 && b < int64_t(width) ? Result(a >> b) : Result();
    };
  if (isa<mlir::math::AbsIOp>(op))
    return [](int64_t a, int64_t) -> Result {
      return a < 0 ? int64_t(0 - uint64_t(a)) : a;
    };
  return nullptr;
}

/// Extensions, truncations and casts from integers of width `from`.
static IntegerFunction castFunction(mlir::Operation *op, unsigned from) {
  using Result = std::optional<int64_t>;
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return
        [=](int64_t a, int64_t) -> Result { return int64_t(bitsOf(a, from)); };
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op))
    return [=](int64_t a, int64_t) -> Result { return from == 1 ? -a : a; };
  return nullptr;
}

static bool holds(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                  unsigned width) {
  using P = arith::CmpIPredicate;
  uint64_t x = bitsOf(a, width), y = bitsOf(b, width);
  if (width == 1)
    a = -a, b = -b;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return x < y;
  case P::ule:
    return x <= y;
  case P::ugt:
    return x > y;
  case P::uge:
    return x >= y;
  }
  llvm_unreachable("no such predicate");
}

/// Comparisons and shifts of wide ranges try at most this many pairs.
static constexpr uint64_t kTrials = 1024;

ScalarProgram::Apply ScalarProgram::integerOperation(mlir::Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !op->getResult(0).getType().isIntOrIndex() ||
      !op->getOperand(0).getType().isIntOrIndex())
    return nullptr;
  unsigned from = integerWidth(op->getOperand(0).getType());
  unsigned width = integerWidth(op->getResult(0).getType());
  IntegerFunction function;
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    function = [predicate = compared.getPredicate(),
                from](int64_t a, int64_t b) -> std::optional<int64_t> {
      return holds(predicate, a, b, from);
    };
  for (auto find : {signedFunction, unsignedFunction, castFunction})
    if (!function)
      function = find(op, from);
  if (!function)
    return nullptr;
  bool binary = op->getNumOperands() == 2;
  // Sums of intervals are intervals, unless they wrap.
  int sign = isa<arith::AddIOp>(op) ? 1 : isa<arith::SubIOp>(op) ? -1 : 0;
  IntegerRange all = allIntegers(width);
  bool divides =
      isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op);
  // The quotient of the least number and -1 overflows (as i1, 1 is both).
  bool overflows = isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp,
                       arith::CeilDivSIOp>(op);
  int64_t least = from == 1 ? 1 : all.lo, minusOne = from == 1 ? 1 : -1;
  return [=](const State &state, const unsigned *x, Cell &result,
             std::string &failure) {
    IntegerRange a = state.slots[x[0]].integer,
                 b = binary ? state.slots[x[1]].integer
                            : IntegerRange::exactly(0);
    uint64_t many = uint64_t(a.hi) - uint64_t(a.lo),
             times = uint64_t(b.hi) - uint64_t(b.lo);
    if (many >= kTrials || times >= kTrials ||
        (many + 1) * (times + 1) > kTrials) {
      __int128 lo = __int128(a.lo) + sign * __int128(sign < 0 ? b.hi : b.lo);
      __int128 hi = __int128(a.hi) + sign * __int128(sign < 0 ? b.lo : b.hi);
      bool fits = sign != 0 && lo >= all.lo && hi <= all.hi;
      result.integer = fits ? IntegerRange{int64_t(lo), int64_t(hi)} : all;
      // It may be undefined.
      if (divides && b.contains(0))
        failure = "an integer division may be by zero";
      if (overflows && a.contains(least) && b.contains(minusOne))
        failure = "an integer operation may be undefined";
      return;
    }
    bool first = true;
    for (uint64_t i = 0; i <= many; ++i)
      for (uint64_t k = 0; k <= times; ++k) {
        auto value =
            function(int64_t(uint64_t(a.lo) + i), int64_t(uint64_t(b.lo) + k));
        bool tooLarge = overflows && a.lo + int64_t(i) == least &&
                        b.lo + int64_t(k) == minusOne;
        if (!value || tooLarge) {
          failure = "an integer operation may be undefined";
          return;
        }
        auto cell = IntegerRange::exactly(wrapInteger(*value, width));
        result.integer = first ? cell : result.integer.join(cell);
        first = false;
      }
  };
}
