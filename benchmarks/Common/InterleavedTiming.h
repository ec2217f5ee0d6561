//===- InterleavedTiming.h - time contenders interleaved --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_INTERLEAVEDTIMING_H
#define PRUNER_BENCHMARKS_COMMON_INTERLEAVEDTIMING_H

#include "Contender.h"

namespace pruner::bench {

/// Times `run` in this process.
std::vector<Batch> timeBatches(const std::function<void()> &run,
                               const TimeRequest &request);

struct InterleavedOptions {
  unsigned rounds = 10;
  /// Rounds are added, up to three times as many, while a contender has fewer
  /// than five clean batches.
  double minSeconds = 0.5; ///< Per contender, over all rounds.
  double batchSeconds = 0.004;
  unsigned threads = 1;
  size_t coldBytes = 0; ///< As in TimeRequest.
};

/// Verifies every contender, then times the contenders interleaved
/// (interleavedOrder of Runtime/Timer.h). A contender that fails gets its
/// `failure` and is not timed. `halfway` is called once.
void timeInterleaved(std::vector<Contender> &contenders,
                     const InterleavedOptions &options,
                     const std::function<void()> &halfway);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_INTERLEAVEDTIMING_H
