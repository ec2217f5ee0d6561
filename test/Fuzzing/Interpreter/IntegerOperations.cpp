//===- IntegerOperations.cpp - arith on integers --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "pruner/Program/IntegerOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace llvm;
using namespace pruner;
namespace arith = mlir::arith;

/// Comparisons and shifts of wide ranges are not worth more than this many
/// trials of every pair.
static constexpr uint64_t kTrials = 1024;

ScalarProgram::Apply ScalarProgram::integerOperation(mlir::Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !op->getResult(0).getType().isIntOrIndex() ||
      !op->getOperand(0).getType().isIntOrIndex())
    return nullptr;
  uint64_t predicate = 0;
  if (auto compared = dyn_cast<arith::CmpIOp>(op))
    predicate = uint64_t(compared.getPredicate());
  std::optional<IntegerOp> kind =
      integerOpOf(op->getName().getStringRef(), predicate);
  unsigned from = integerWidth(op->getOperand(0).getType());
  unsigned width = integerWidth(op->getResult(0).getType());
  if (!kind || from > 64 || width > 64)
    return nullptr;
  auto bits = [from](int64_t value) {
    return APInt(from, uint64_t(value), /*isSigned=*/false,
                 /*implicitTrunc=*/true);
  };
  bool binary = op->getNumOperands() == 2;
  // Sums of intervals are intervals, unless they wrap.
  int sign = *kind == IntegerOp::Add ? 1 : *kind == IntegerOp::Sub ? -1 : 0;
  IntegerRange all = allIntegers(width);
  // The least number has no quotient by -1 (as i1, 1 is both).
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
      // Whether it is defined is not known any more.
      if (isDivision(*kind) && b.contains(0))
        failure = "an integer division may be by zero";
      if (mayOverflow(*kind) && a.contains(least) && b.contains(minusOne))
        failure = "an integer operation may be undefined";
      return;
    }
    bool first = true;
    for (uint64_t i = 0; i <= many; ++i)
      for (uint64_t k = 0; k <= times; ++k) {
        APInt operands[] = {bits(int64_t(uint64_t(a.lo) + i)),
                            bits(int64_t(uint64_t(b.lo) + k))};
        std::optional<APInt> value = pruner::evaluate(*kind, operands, width);
        if (!value) {
          failure = "an integer operation may be undefined";
          return;
        }
        auto cell = IntegerRange::exactly(
            wrapInteger(int64_t(value->getZExtValue()), width));
        result.integer = first ? cell : result.integer.join(cell);
        first = false;
      }
  };
}
