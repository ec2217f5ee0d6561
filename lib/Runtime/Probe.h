//===- Probe.h - repeated measurement of one quantity -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RUNTIME_PROBE_H
#define PRUNER_LIB_RUNTIME_PROBE_H

#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace pruner {

/// A quantity that is measured in chunks. A chunk has as many rounds as take at
/// least `chunk` nanoseconds: long compared with the cost of the clock, short
/// compared with a time slice.
class Probe {
public:
  explicit Probe(std::function<void(int64_t rounds)> run, int64_t chunk = 50000)
      : run(std::move(run)), chunk(chunk), best(timed()) {
    lengthen();
  }
  /// Measures one more chunk. A disturbance may have made the chunks that fixed
  /// the number of rounds look long enough. If this chunk is too short, the
  /// number of rounds grows and earlier measurements are dropped.
  void measure() {
    best = std::min(best, timed());
    lengthen();
  }
  /// The shortest time of a round.
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

/// Interleaves the chunks of all probes, so that a low clock or a shared core
/// affects all of them.
inline void interleave(llvm::ArrayRef<Probe *> probes, double seconds) {
  int64_t end = nowNanoseconds() + int64_t(seconds * 1e9);
  do
    for (Probe *probe : probes)
      probe->measure();
  while (nowNanoseconds() < end);
}

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_PROBE_H
