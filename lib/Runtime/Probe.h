//===- Probe.h - something measured --------------------------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RUNTIME_PROBE_H
#define PRUNER_LIB_RUNTIME_PROBE_H

#include "pruner/Runtime/Timer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>

namespace pruner {

/// Something measured in chunks of so many rounds that they take at least
/// `chunk` nanoseconds: long against the clock's cost, short against a time
/// slice.
class Probe {
public:
  explicit Probe(std::function<void(int64_t rounds)> run, int64_t chunk = 50000)
      : run(std::move(run)), chunk(chunk), best(timed()) {
    lengthen();
  }
  /// One more chunk. Whatever disturbed those that fixed the number of rounds
  /// made them look long enough: should this one be too short, they get longer
  /// and what was measured so far is forgotten.
  void measure() {
    best = std::min(best, timed());
    lengthen();
  }
  /// The least that a round took.
  double seconds() const { return double(best) * 1e-9 / double(rounds); }

private:
  void lengthen() {
    while (best < chunk && rounds < (int64_t(1) << 40)) {
      rounds *= 2;
      best = timed();
    }
  }
  int64_t timed() {
    int64_t start = nowNanoseconds();
    run(rounds);
    return std::max<int64_t>(1, nowNanoseconds() - start);
  }

  std::function<void(int64_t rounds)> run;
  int64_t chunk, rounds = 1, best;
};

/// Chunks of all probes in turns: a time at which the clock is low or the core
/// is shared meets all of them.
inline void takeTurns(std::initializer_list<Probe *> probes, double seconds) {
  int64_t end = nowNanoseconds() + int64_t(seconds * 1e9);
  do
    for (Probe *probe : probes)
      probe->measure();
  while (nowNanoseconds() < end);
}

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_PROBE_H
