//===- Random.h - a seeded generator with reproducible streams --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_RANDOM_H
#define PRUNER_SUPPORT_RANDOM_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>

namespace pruner {

/// A seeded random number generator whose results depend only on the seed and
/// the calls, on every platform. The C++ standard specifies std::mt19937_64 to
/// the bit, but not its distributions and std::shuffle. This class therefore
/// implements its own.
class Random {
public:
  explicit Random(uint64_t seed) : seed(seed), engine(seed) {}

  /// 64 uniform bits.
  uint64_t next() { return engine(); }

  /// A uniform integer in [0, n), without bias; 0 if n is 0 or 1. Multiplies
  /// and rejects (Lemire, "Fast Random Integer Generation in an Interval",
  /// 2019, algorithm 5), which usually takes one draw.
  uint64_t uniform(uint64_t n);

  /// A uniform multiple of 2^-53 in [0, 1).
  double uniformReal();

  /// Shuffles a random-access range uniformly (Fisher-Yates).
  template <typename Range> void shuffle(Range &&range) {
    for (size_t left = range.size(); left > 1; --left) {
      using std::swap;
      swap(range[left - 1], range[uniform(left)]);
    }
  }

  /// An independent generator for `stream`. It depends only on the seed of this
  /// generator and on `stream`, not on previous draws. A worker or a round
  /// therefore gets the same numbers whatever was drawn before.
  Random fork(uint64_t stream) const;

  /// Saves the whole state as one line of text, and restores it. Restoring
  /// other or damaged text is an error and changes nothing.
  std::string save() const;
  llvm::Error restore(llvm::StringRef text);

private:
  uint64_t seed;
  std::mt19937_64 engine;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_RANDOM_H
