//===- Rounds.h - interleaved timing ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_ROUNDS_H
#define PRUNER_BENCHMARKS_COMMON_ROUNDS_H

#include "Contender.h"

namespace pruner::bench {

/// Times `run` in this process.
std::vector<Batch> timeBatches(const std::function<void()> &run,
                               const TimeRequest &request);

struct RoundOptions {
  unsigned rounds = 10;
  /// Rounds are added, up to three times as many, while a contender has fewer
  /// than five clean batches.
  double minSeconds = 0.5; ///< Per contender, over all rounds.
  double batchSeconds = 0.004;
  unsigned threads = 1;
  size_t coldBytes = 0; ///< As in TimeRequest.
};

/// Verifies every contender, calls `verified`, then times the contenders
/// interleaved (A B C B C A ...). A contender that fails gets its `failure` and
/// is not timed. `halfway` is called once. Both functions may be null.
void runRounds(std::vector<Contender> &contenders, const RoundOptions &options,
               const std::function<void()> &verified,
               const std::function<void()> &halfway);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_ROUNDS_H
