//===- Timer.h - the timing protocol of a callback ---------- -*- C++ -*--===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_TIMER_H
#define PRUNER_RUNTIME_TIMER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace pruner {

/// Nanoseconds of the monotonic clock. Only differences are meaningful.
int64_t nowNanoseconds();

/// Parameters of `timeCallback`. The tuner uses the defaults.
struct TimingOptions {
  /// Number of untimed runs at the start. They stop early, after at least one,
  /// once they have taken `minSeconds` together.
  int warmUps = 3;
  /// Samples are taken until both values are reached.
  double minSeconds = 0.010;
  int minSamples = 5;
  /// Maximum number of samples, which overrides `minSeconds`.
  int maxSamples = 100000;
  /// A sample consists of as many consecutive runs as take this many seconds,
  /// so that the cost of the clock (tens of nanoseconds) is below a thousandth.
  /// With `before` every sample is one run.
  double minSampleSeconds = 50e-6;
  /// Seconds. If the first timed run and all warm-ups take longer, the result
  /// is the fastest of them and marked as censored: the code is not faster than
  /// that by much. More than one run is needed for this, because a single run
  /// may have been interrupted. 0 = never.
  double censorAbove = 0;
  /// A measurement whose median exceeds its minimum by this factor was
  /// disturbed. It is repeated up to `maxRepeats` times, and the one with the
  /// smallest spread is kept.
  double maxSpread = 1.15;
  int maxRepeats = 2;
  /// Seconds. A callback whose fastest run takes longer need not be timed
  /// precisely. It gets two samples, or up to `minSamples` until their spread
  /// is at most `maxSpread`, and is not repeated. 0 = nothing is slow.
  double slowAbove = 0;
  /// Called, untimed, before each run; may be empty. Sampling then also ends
  /// after `maxWallSeconds`, including the time of these calls, once there are
  /// `minSamples`. One warm-up is enough, because nothing stays warm.
  std::function<void()> before;
  double maxWallSeconds = 0.020;
  /// The clock in nanoseconds; tests replace it.
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
  /// Number of measurements dropped because their spread was above the limit.
  int repeats = 0;
  /// The first runs exceeded `censorAbove`. Every time is that of the fastest
  /// one.
  bool censored = false;
  /// The spread stayed above the limit in every repeat.
  bool noisy = false;
};

/// Median (mean of the middle two of an even count), minimum, nearest-rank 90th
/// percentile and spread of `secondsPerRun`, which the result stores. All are
/// zero if it is empty.
TimingResult summarizeSamples(std::vector<double> secondsPerRun);

/// The result of a censored measurement whose fastest run took `seconds`.
TimingResult censoredTime(double seconds);

/// Calls `take` for the samples of each attempt, numbered from 0. Stops when
/// the spread is at most `maxSpread`, after `maxRepeats` repeats, or when the
/// minimum is above `repeatBelow` seconds (0: no such limit). Returns the
/// attempt with the smallest spread; each sample consists of `runs` runs.
llvm::Expected<TimingResult> repeatWhileNoisy(
    double maxSpread, int maxRepeats, double repeatBelow, int runs,
    llvm::function_ref<llvm::Expected<std::vector<double>>(int repeat)> take);

/// Times `run` by the protocol above.
TimingResult timeCallback(const std::function<void()> &run,
                          const TimingOptions &options = {});

/// The order in which turn `turn` of an interleaved comparison visits its
/// `count` participants. Each turn begins with the next one (0 1 2, 1 2 0,
/// 2 0 1, ...), so that a drift of the machine affects all of them equally.
llvm::SmallVector<size_t> interleavedOrder(size_t turn, size_t count);

} // namespace pruner

#endif // PRUNER_RUNTIME_TIMER_H
