//===- Check.cpp - count the errors of one function -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.h"

#include <cmath>
#include <cstring>

using namespace pruner::checkmath;

Check::Check(const Function &function, const Format &format,
             const Inputs &inputs, Kernel kernel)
    : function(function), format(format),
      result(function.resultType ? *formatOf(function.resultType) : format),
      inputs(inputs), kernel(std::move(kernel)) {}

namespace {
struct Verdict {
  bool special;   ///< One is NaN, or both are zeros of different signs.
  uint64_t steps; ///< From one number to the other.
};
} // namespace

static Verdict judge(const Function &function, const Format &format,
                     uint64_t got, uint64_t want) {
  if (isNan(format, got) || isNan(format, want))
    return {isNan(format, got) != isNan(format, want), 0};
  if (isZero(format, got) && isZero(format, want))
    return {got != want && !function.freeSignOfZero, 0};
  return {false,
          uint64_t(std::llabs(ordinal(format, got) - ordinal(format, want)))};
}

void Check::compare(Tally &tally, uint64_t x, uint64_t y, uint64_t got) const {
  long double a = valueOf(format, x), b = valueOf(format, y);
  // Double has at least twice the digits of the narrower formats.
  bool narrow = format.width <= 32;
  long double exact = narrow ? static_cast<long double>(function.inDouble(a, b))
                             : referenceOf(function, a, b);
  uint64_t want = roundTo(result, exact);
  if (got == want && !isNan(result, got)) {
    // Correctly rounded; the error is below half a unit.
    return;
  }
  Verdict verdict = judge(function, result, got, want);
  long double value = valueOf(result, got), error = 0;
  if (std::isfinite(exact) && std::isfinite(value))
    error = std::fabs(value - exact) / unitAt(result, exact);
  if (verdict.special || verdict.steps > 1 || error > 1.49L) {
    want = correctlyRounded(function, result, a, b);
    verdict = judge(function, result, got, want);
  }
  if (error > tally.worst) {
    tally.worst = error;
    tally.worstX = x;
    tally.worstY = y;
  }
  if ((verdict.special || verdict.steps > 1) &&
      tally.special + tally.beyond == 0) {
    tally.firstX = x;
    tally.firstY = y;
  }
  tally.special += verdict.special;
  tally.beyond += verdict.steps > 1;
  tally.neighbors += verdict.steps == 1;
}

template <typename T> static uint64_t bitsAt(const void *buffer, size_t n) {
  T bits;
  std::memcpy(&bits, static_cast<const char *>(buffer) + n * sizeof(T),
              sizeof(T));
  return bits;
}
static uint64_t bitsAt(const Format &format, const void *buffer, size_t n) {
  switch (format.width) {
  case 64:
    return bitsAt<uint64_t>(buffer, n);
  case 32:
    return bitsAt<uint32_t>(buffer, n);
  default:
    return bitsAt<uint16_t>(buffer, n);
  }
}
static void setBits(const Format &format, void *buffer, size_t n,
                    uint64_t bits) {
  size_t bytes = format.width / 8; // The lowest first: little-endian.
  std::memcpy(static_cast<char *>(buffer) + n * bytes, &bits, bytes);
}

void Check::run(Tally &tally, uint64_t count) {
  alignas(64) static char x[kBlock * 8], y[kBlock * 8], z[kBlock * 8];
  uint64_t end = std::min(inputs.size(), tally.done + count);
  uint64_t xs[kBlock], ys[kBlock];
  while (tally.done < end) {
    size_t now = std::min<uint64_t>(kBlock, end - tally.done);
    for (size_t n = 0; n < now; ++n) {
      inputs.get(tally.done + n, xs[n], ys[n]);
      setBits(format, x, n, xs[n]);
      setBits(format, y, n, ys[n]);
    }
    kernel(x, y, z);
    for (size_t n = 0; n < now; ++n)
      compare(tally, xs[n], ys[n], bitsAt(result, z, n));
    tally.done += now;
  }
}
