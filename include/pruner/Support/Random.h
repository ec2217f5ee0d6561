//===- Random.h - a seeded generator with reproducible streams --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_RANDOM_H
#define PRUNER_SUPPORT_RANDOM_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace pruner {

/// A seeded random number generator whose every answer is fixed by the seed and
/// the calls made, on any platform. std::mt19937_64 is specified to the bit by
/// the C++ standard; the standard's distributions and std::shuffle are not,
/// which is why the reductions here are our own.
class Random {
public:
  explicit Random(uint64_t seed) : seed(seed), engine(seed) {}

  /// 64 uniform bits.
  uint64_t next() { return engine(); }

  /// A uniform integer in [0, n), without bias; 0 if n is 0 or 1. Multiplies
  /// and rejects (Lemire, "Fast Random Integer Generation in an Interval",
  /// 2019, algorithm 5): mostly one draw.
  uint64_t uniform(uint64_t n);

  /// A uniform multiple of 2^-53 in [0, 1).
  double uniformReal();

  /// Puts a random-access range in uniformly random order (Fisher-Yates).
  template <typename Range> void shuffle(Range &&range) {
    for (size_t left = range.size(); left > 1; --left) {
      using std::swap;
      swap(range[left - 1], range[uniform(left)]);
    }
  }

  /// An independent generator for `stream`. It depends on this generator's seed
  /// and on `stream` alone, not on the draws made so far, so that a worker or a
  /// round has the same numbers whatever was drawn before it.
  Random fork(uint64_t stream) const;

  /// The whole state as one line of text, and back. A text that save() did not
  /// write, or that was damaged since, is an error and changes nothing.
  std::string save() const;
  llvm::Error restore(llvm::StringRef text);

private:
  uint64_t seed;
  std::mt19937_64 engine;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_RANDOM_H
