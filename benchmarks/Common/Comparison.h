//===- Comparison.h - comparison with peers over a suite --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  double seconds = 0; ///< Seconds of a call.
  /// Seconds of a call with almost no work, through the same interface.
  double call = 0;

  /// The time without the overhead of a call. At most half of the time is
  /// subtracted, because a longer call cannot be distinguished from the work.
  double net() const;
};

/// The fastest peer by net() among those for which `wanted` holds, or null.
const PeerTime *fastestPeer(llvm::ArrayRef<PeerTime> peers,
                            llvm::function_ref<bool(const PeerTime &)> wanted);

/// The comparison with one peer over all operations that both have. Ratios are
/// the peer's time / Pruner's: above 1 Pruner is faster.
struct ComparisonRow {
  std::string peer;
  size_t count = 0;
  double mean = 0;     ///< Geometric mean of ratios of net times.
  double asCalled = 0; ///< Geometric mean of ratios of call times.
  /// The operations with the smallest and the largest ratio of net times.
  double least = 0, most = 0;
  std::string leastAt, mostAt;
};

/// Collects times of operations.
class Comparison {
public:
  static constexpr const char *kBestOfAny = "best of any kind";
  static constexpr const char *kBestAtRunTime = "best, weights at run time";

  /// `ours` is Pruner's time in seconds.
  void add(llvm::StringRef operation, double ours,
           llvm::ArrayRef<PeerTime> peers);

  /// The two summary rows first, then every peer in the order of its first
  /// time.
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
