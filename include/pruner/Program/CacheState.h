//===- CacheState.h - where a task finds its operands -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_CACHESTATE_H
#define PRUNER_PROGRAM_CACHESTATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pruner {

/// How many bytes of other memory were touched since the first and since the
/// last bytes of an operand were touched last; in between it is linear. Caches
/// of fewer bytes have lost them.
struct ReuseDistance {
  int64_t first = 0, last = 0;
  /// The part of the operand, 0 to 1, that a cache of `capacity` bytes has
  /// lost.
  double lostFrom(double capacity) const;
  bool operator==(const ReuseDistance &other) const {
    return first == other.first && last == other.last;
  }
};

/// What the caches hold of a task's operands when its network calls it: the
/// reuse distance of each input and then of each output. A weight is as far
/// away as one pass through the network is long; of what the task before has
/// written the end was written just now, and the begin as long ago as that task
/// touched memory.
struct CacheState {
  /// Bytes: 0, 2^n or 3/2 2^n from `least` to `most`; empty where all are 0.
  llvm::SmallVector<ReuseDistance, 6> distances;

  /// Shorter ones count as 0: the first level of every cache is larger.
  static constexpr int64_t least = int64_t(1) << 15;
  /// Longer ones count as this: no cache is larger.
  static constexpr int64_t most = int64_t(1) << 30;

  /// The state of these distances, each rounded to the nearest of those numbers
  /// (by its logarithm): networks that differ little find their operands alike.
  static CacheState of(llvm::ArrayRef<ReuseDistance> distances);

  /// As a kernel is found that is called over and over.
  bool isWarm() const { return distances.empty(); }

  bool operator==(const CacheState &other) const {
    return distances == other.distances;
  }

  /// `64M 1536K-0 0`, in the order of the operands, the first and the last
  /// bytes where these differ; empty if warm.
  std::string str() const;
  /// What `str` wrote; nothing of any other text.
  static std::optional<CacheState> parse(llvm::StringRef text);
};

} // namespace pruner

#endif // PRUNER_PROGRAM_CACHESTATE_H
