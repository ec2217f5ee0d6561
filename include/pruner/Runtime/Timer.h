//===- Timer.h - the timing protocol of a callback ---------- -*- C++ -*--===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_TIMER_H
#define PRUNER_RUNTIME_TIMER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pruner {

/// Nanoseconds of the monotonic clock; only differences mean something.
int64_t nowNanoseconds();

/// How `timeCallback` measures. The defaults are those of the tuner.
struct TimingOptions {
  /// Untimed runs first. They stop early, after at least one, when they have
  /// taken `minSeconds` together.
  int warmUps = 3;
  /// Samples are taken until both are reached.
  double minSeconds = 0.010;
  int minSamples = 5;
  /// Never more samples than this, whatever `minSeconds` says.
  int maxSamples = 100000;
  /// A sample times as many runs in a row as fill this, seconds, so that the
  /// clock's own cost (tens of nanoseconds) stays under a thousandth. With
  /// `before` every sample is one run.
  double minSampleSeconds = 50e-6;
  /// Seconds. If the first timed run and all warm-ups take longer, the result
  /// is the fastest of them, censored: all that is known is "not faster than".
  /// One of them alone may have been interrupted. 0 = never.
  double censorAbove = 0;
  /// A measurement whose median is this much above its minimum was disturbed
  /// and is repeated, `maxRepeats` times at most; the calmest one is kept.
  double maxSpread = 1.15;
  int maxRepeats = 2;
  /// What takes more than these seconds in its fastest run need not be known
  /// well: two samples are enough, or as many, up to `minSamples`, as it takes
  /// to bring their spread to `maxSpread`, and nothing is repeated. 0 = nothing
  /// is slow.
  double slowAbove = 0;
  /// What is called, untimed, before each run; may be empty. Samples then also
  /// end after `maxWallSeconds`, what it takes included, once there are
  /// `minSamples`; and one warm-up is enough, as nothing stays warm.
  std::function<void()> before;
  double maxWallSeconds = 0.020;
  /// The clock in nanoseconds; tests put another in place of the real one.
  std::function<int64_t()> clock = nowNanoseconds;
};

/// Seconds per run.
struct TimingResult {
  double median = 0;
  double minimum = 0;
  double p90 = 0;
  /// median / minimum, at least 1.
  double spread = 1;
  /// Each sample, in the order in which they were taken.
  std::vector<double> samples;
  int runsPerSample = 1;
  /// Measurements thrown away because their spread was above the limit.
  int repeats = 0;
  /// The first runs exceeded `censorAbove`: every number is the fastest one's
  /// time, a bound only in the sense that more runs were not worth it.
  bool censored = false;
  /// The spread stayed above the limit in every repeat.
  bool noisy = false;
};

/// Median (mean of the middle two of an even count), minimum, nearest-rank
/// 90th percentile and spread of `secondsPerRun`, which it keeps. All zero when
/// it is empty.
TimingResult summarizeSamples(std::vector<double> secondsPerRun);

/// Of what was given up after runs of which the fastest took `seconds`.
TimingResult censoredTime(double seconds);

/// Calls `take` for the samples of a repeat, counted from 0, until their spread
/// is at most `maxSpread`, or there were `maxRepeats` more repeats, or the
/// minimum is above `repeatBelow` seconds (0: whatever it is). Returns the
/// result of the least spread, of `runs` runs a sample.
llvm::Expected<TimingResult> repeatWhileNoisy(
    double maxSpread, int maxRepeats, double repeatBelow, int runs,
    llvm::function_ref<llvm::Expected<std::vector<double>>(int repeat)> take);

/// Times `run` by the protocol above.
TimingResult timeCallback(const std::function<void()> &run,
                          const TimingOptions &options = {});

} // namespace pruner

#endif // PRUNER_RUNTIME_TIMER_H
