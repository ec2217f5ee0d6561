//===- Inputs.h - arguments of a tested function ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_CHECKMATH_INPUTS_H
#define PRUNER_TOOLS_CHECKMATH_INPUTS_H

#include "Functions.h"

#include <vector>

namespace pruner::checkmath {

/// The arguments of one function, by index. Special values come first: zeros,
/// infinities, NaN, the ends of the ranges, integers and halves, multiples of
/// pi, and for two arguments every pair of them. Then follows every `stride`-th
/// number of a format of up to 32 bits in the order of its bits, or else
/// `count` numbers that depend only on the seed: any bits, numbers of moderate
/// size, and numbers next to 1, to integers, and to multiples of pi/2.
class Inputs {
public:
  Inputs(const Function &function, const Format &format, uint64_t stride,
         uint64_t count, uint64_t seed);

  uint64_t size() const { return pairs + rest; }
  /// Returns the bits of the arguments with this index.
  void get(uint64_t number, uint64_t &x, uint64_t &y) const;

private:
  uint64_t draw(uint64_t key) const;

  const Format &format;
  std::vector<uint64_t> special;
  unsigned arity;
  bool enumerate;
  uint64_t stride, seed, pairs, rest;
};

} // namespace pruner::checkmath

#endif // PRUNER_TOOLS_CHECKMATH_INPUTS_H
