//===- Stopwatch.h - add the seconds of a scope -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_STOPWATCH_H
#define PRUNER_LIB_TUNE_STOPWATCH_H

#include <chrono>

namespace pruner {

/// Adds the seconds of its scope to a counter.
class Stopwatch {
public:
  explicit Stopwatch(double &counter) : counter(counter), start(now()) {}
  ~Stopwatch() { counter += now() - start; }

  /// Seconds of a monotonic clock.
  static double now() {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

private:
  double &counter;
  double start;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_STOPWATCH_H
