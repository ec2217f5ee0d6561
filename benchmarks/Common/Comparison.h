//===- Comparison.h - ours against theirs, over a suite ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMMON_COMPARISON_H
#define PRUNER_BENCHMARKS_COMMON_COMPARISON_H

#include "Contender.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pruner::bench {

/// A peer's time of one operation.
struct PeerTime {
  std::string name;
  Role role = Role::Peer;
  double seconds = 0; ///< As called.
  /// Of a call that computes next to nothing, through the same interface.
  double call = 0;

  /// The time without the call, which is taken off down to half at most: where
  /// a call takes longer than that, the two cannot be told apart.
  double net() const;
};

/// The fastest by net() of those for which `wanted` holds, or null.
const PeerTime *fastestPeer(llvm::ArrayRef<PeerTime> peers,
                            llvm::function_ref<bool(const PeerTime &)> wanted);

/// How our times compare with those of one peer over all operations that both
/// have. Ratios are theirs / ours: above 1, we are faster.
struct ComparisonRow {
  std::string peer;
  size_t count = 0;
  double mean = 0;     ///< Geometric, of net times.
  double asCalled = 0; ///< Geometric, of times as called.
  /// The operations with the least and the most ratio of net times.
  double least = 0, most = 0;
  std::string leastAt, mostAt;
};

/// Collects times, operation by operation.
class Comparison {
public:
  static constexpr const char *kBestOfAny = "best of any kind";
  static constexpr const char *kBestAtRunTime = "best, weights at run time";

  /// `ours` in seconds.
  void add(llvm::StringRef operation, double ours,
           llvm::ArrayRef<PeerTime> peers);

  /// The two rows above first, then every peer in the order of its first time.
  std::vector<ComparisonRow> rows() const;

private:
  struct Sample {
    std::string operation;
    double net, asCalled;
  };
  std::vector<std::pair<std::string, std::vector<Sample>>> samples;
  void addSample(llvm::StringRef peer, Sample sample);
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_COMPARISON_H
