//===- StageTimer.h - times of the stages of a compilation ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_STAGETIMER_H
#define PRUNER_TARGET_STAGETIMER_H

#include <ctime>

namespace pruner {

/// The time of one stage, in milliseconds.
struct StageTime {
  double wallMs = 0;
  /// CPU time of the thread that ran the stage. Excludes time of other
  /// processes, including child processes.
  double cpuMs = 0;

  StageTime &operator+=(const StageTime &other) {
    wallMs += other.wallMs;
    cpuMs += other.cpuMs;
    return *this;
  }
  friend StageTime operator-(StageTime left, const StageTime &right) {
    left.wallMs -= right.wallMs;
    left.cpuMs -= right.cpuMs;
    return left;
  }
};

/// Adds the time between construction and destruction to `time`.
class StageTimer {
public:
  explicit StageTimer(StageTime &time)
      : time(time), wallStart(now(CLOCK_MONOTONIC)),
        cpuStart(now(CLOCK_THREAD_CPUTIME_ID)) {}
  ~StageTimer() {
    time.cpuMs += now(CLOCK_THREAD_CPUTIME_ID) - cpuStart;
    time.wallMs += now(CLOCK_MONOTONIC) - wallStart;
  }
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;

private:
  static double now(clockid_t clock) {
    timespec value;
    clock_gettime(clock, &value);
    return 1e3 * double(value.tv_sec) + 1e-6 * double(value.tv_nsec);
  }

  StageTime &time;
  double wallStart, cpuStart;
};

} // namespace pruner

#endif // PRUNER_TARGET_STAGETIMER_H
