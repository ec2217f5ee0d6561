//===- CacheState.h - cache states of tasks ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PROGRAM_CACHESTATE_H
#define PRUNER_PROGRAM_CACHESTATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pruner {

/// How many bytes of other memory were accessed since the last access to the
/// first bytes and to the last bytes of an operand. The distance is linear in
/// between. A cache smaller than the distance has evicted those bytes.
struct ReuseDistance {
  int64_t first = 0, last = 0;
  /// The fraction of the operand, 0 to 1, that a cache of `capacity` bytes has
  /// evicted.
  double lostFrom(double capacity) const;
  bool operator==(const ReuseDistance &other) const {
    return first == other.first && last == other.last;
  }
};

/// The cache state when a network calls a task: the reuse distance of
/// each input and then of each output. The distance of a weight is one pass
/// through the network. An operand that the preceding task wrote has two
/// distances: its end was written just now, its begin as long ago as that task
/// took to write it.
struct CacheState {
  /// Bytes: 0, or 2^n or 3/2 2^n from `least` to `most`. Empty if all are 0.
  llvm::SmallVector<ReuseDistance, 6> distances;

  /// Shorter distances count as 0, because every first-level cache is larger.
  static constexpr int64_t least = int64_t(1) << 15;
  /// Longer distances count as this, because no cache is larger.
  static constexpr int64_t most = int64_t(1) << 30;

  /// Rounds each distance to the nearest of those numbers, on a logarithmic
  /// scale. Networks that differ little therefore have equal cache states.
  static CacheState of(llvm::ArrayRef<ReuseDistance> distances);

  /// The state of a kernel that is called repeatedly.
  bool isWarm() const { return distances.empty(); }

  bool operator==(const CacheState &other) const {
    return distances == other.distances;
  }

  /// For example `64M 1536K-0 0`, in the order of the operands, with the first
  /// and the last bytes where these differ. Empty if warm.
  std::string str() const;
  /// The inverse of `str`; std::nullopt for other text.
  static std::optional<CacheState> parse(llvm::StringRef text);
};

} // namespace pruner

#endif // PRUNER_PROGRAM_CACHESTATE_H
