//===- RunReplies.h - common parts of run replies ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_WORKER_RUNREPLIES_H
#define PRUNER_LIB_WORKER_RUNREPLIES_H

#include "pruner/Measure/Protocol.h"
#include "pruner/Runtime/Timer.h"
#include "pruner/Verification/Reference.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace pruner {

inline RunReply failedRun(int64_t id, MeasureStatus status,
                          std::string reason) {
  RunReply reply;
  reply.id = id;
  reply.status = status;
  reply.reason = std::move(reason);
  return reply;
}

inline RunReply wrongResult(int64_t id, size_t result, InputPattern pattern,
                            const std::string &what) {
  return failedRun(id, MeasureStatus::WrongResult,
                   "result " + std::to_string(result) + ", " +
                       patternName(pattern).str() + ": " + what);
}

/// Seven digits, more than any clock provides, which keeps the text of times
/// short.
inline double roundTime(double seconds) {
  char text[32];
  snprintf(text, sizeof(text), "%.6e", seconds);
  return std::strtod(text, nullptr);
}

/// Measures the seconds between consecutive calls.
class Laps {
public:
  double next() {
    int64_t now = nowNanoseconds();
    return double(now - std::exchange(last, now)) * 1e-9;
  }

private:
  int64_t last = nowNanoseconds();
};

inline void setTimes(RunReply &reply, const TimingResult &times) {
  reply.median = times.median;
  reply.minimum = times.minimum;
  reply.p90 = times.p90;
  reply.spread = times.spread;
  reply.samples = int64_t(times.samples.size());
  for (double seconds : times.samples)
    reply.times.push_back(roundTime(seconds));
  reply.runsPerSample = times.runsPerSample;
  reply.repeats = times.repeats;
  reply.censored = times.censored;
  reply.noisy = times.noisy;
}

/// For code that passed all comparisons, if there were any.
inline void setVerdict(RunReply &reply, const RunRequest &request,
                       const Reference &reference, double errorOverBound) {
  reply.verified = request.verify;
  if (!request.verify)
    return;
  reply.exact = reference.numerics.exact;
  reply.errorOverBound = errorOverBound;
}

inline TimingOptions timingOptions(const RunRequest &request) {
  TimingOptions options;
  options.minSeconds = std::clamp(request.minSeconds, 0.0, 60.0);
  options.minSamples = int(std::clamp<int64_t>(request.minSamples, 1, 100000));
  options.censorAbove = std::max(0.0, request.censorAbove);
  options.slowAbove = options.censorAbove / 2;
  if (request.maxSeconds > 0) {
    // A run that alone exhausts the time is not repeated.
    options.warmUps = 1;
    options.maxRepeats = 0;
    double cap = request.maxSeconds / 3;
    options.censorAbove =
        options.censorAbove > 0 ? std::min(options.censorAbove, cap) : cap;
  }
  return options;
}

} // namespace pruner

#endif // PRUNER_LIB_WORKER_RUNREPLIES_H
