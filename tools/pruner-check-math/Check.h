//===- Check.h - count the errors of one function ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_CHECKMATH_CHECK_H
#define PRUNER_TOOLS_CHECKMATH_CHECK_H

#include "Inputs.h"
#include "Kernel.h"

#include <string>

namespace pruner::checkmath {

/// The result for a number of arguments.
struct Tally {
  uint64_t done = 0; ///< Arguments.
  double worst = 0;  ///< Largest error in units in the last place, of
                     ///< results that are finite.
  uint64_t worstX = 0, worstY = 0; ///< Bits of the arguments.
  uint64_t neighbors = 0; ///< Results next to the correctly rounded one.
  uint64_t beyond = 0;    ///< Results farther from it: wrong.
  uint64_t special = 0;   ///< Wrong NaN, infinities, signs of zero.
  uint64_t firstX = 0, firstY = 0; ///< The first argument with a wrong result.
};

/// Compares results with the correctly rounded ones. The reference is the C
/// library's function in the next wider precision. MPFR is used near the middle
/// of two numbers, and before a result counts as wrong.
class Check {
public:
  Check(const Function &function, const Format &format, const Inputs &inputs,
        Kernel kernel);

  /// Continues after `tally.done` arguments with up to `count` more.
  void run(Tally &tally, uint64_t count);

private:
  void compare(Tally &tally, uint64_t x, uint64_t y, uint64_t got) const;

  const Function &function;
  const Format &format, &result;
  const Inputs &inputs;
  Kernel kernel;
};

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_CHECK_H
