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

/// What the caches hold of a task's operands when its network calls it: of each
/// input and then of each output the *reuse distance*, the bytes of other
/// memory that were touched since it was touched last. Caches of fewer bytes
/// have lost it. A weight is as far away as one pass through the network is
/// long; what the task before has just written is at 0.
struct CacheState {
  /// Bytes, 0 or powers of two from `least` to `most`; empty where all are 0.
  llvm::SmallVector<int64_t, 6> distances;

  /// Shorter ones count as 0: the first level of every cache is larger.
  static constexpr int64_t least = int64_t(1) << 15;
  /// Longer ones count as this: no cache is larger.
  static constexpr int64_t most = int64_t(1) << 30;

  /// The state of these distances, each rounded to the nearest power of two (by
  /// its logarithm): networks that differ little find the same operands alike.
  static CacheState of(llvm::ArrayRef<int64_t> distances);

  /// As a kernel is found that is called over and over.
  bool isWarm() const { return distances.empty(); }

  bool operator==(const CacheState &other) const {
    return distances == other.distances;
  }

  /// `64M 0 512K`, in the order of the operands; empty if warm.
  std::string str() const;
  /// What `str` wrote; nothing of any other text.
  static std::optional<CacheState> parse(llvm::StringRef text);
};

} // namespace pruner

#endif // PRUNER_PROGRAM_CACHESTATE_H
