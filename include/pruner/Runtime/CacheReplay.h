//===- CacheReplay.h - the caches as a network leaves them ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that is called over and over finds all that it needs in the nearest
// cache. In a network other kernels have run in between: code and weights have
// to come from far away, and of the activations what is left. Before each run
// that is timed, a replay does what those others would have done to the caches
// of a core: it walks through memory of its own, and touches each operand as
// many bytes before the end as its reuse distance says. What is farther away
// than the caches of all cores reach is put out of all of them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_CACHEREPLAY_H
#define PRUNER_RUNTIME_CACHEREPLAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pruner {

/// An argument of the kernel, or a piece of one.
struct ReplayedOperand {
  void *data;
  size_t bytes;
  int64_t distance; ///< Its reuse distance in bytes.
};

class CacheReplay {
public:
  /// Runs its argument once on each thread of the kernel's team, which it is
  /// told by number.
  using Team = std::function<void(llvm::function_ref<void(unsigned)>)>;

  struct Options {
    unsigned threads = 1;
    Team team; ///< Needed for more than one thread.
    /// Bytes that each thread walks: enough that its core's caches hold nothing
    /// else then. (Twice their size leaves some of it on a Zen 5, by where the
    /// pages lie.)
    size_t walkBytes = 4 * coreCacheBytes();
    /// What is farther away than these bytes is in no cache. Without it
    /// `sharedCacheReach`.
    std::optional<size_t> reach;
  };

  /// The code of the kernel is as far away as the farthest of the operands.
  CacheReplay(llvm::ArrayRef<ReplayedOperand> operands,
              llvm::ArrayRef<uint8_t> code, const Options &options);

  /// Brings the caches into the state before a run.
  void operator()();

  /// Bytes of the caches that one core has for itself, or 4 MiB where the
  /// system does not say.
  static size_t coreCacheBytes();

  /// How many bytes of other memory a network touches on so many threads until
  /// what a core had in the cache that it shares with others is gone: the bytes
  /// of that cache, or less where busy neighbours take it over. On virtual
  /// machines half may be gone after 3 ms, whatever the core did. How long that
  /// takes is measured once, in 0.1 s; networks are taken to touch 1.5 GB/s on
  /// each thread (eleven did 0.6 to 3.1 GB/s on a Zen 4, 1.5 in the median).
  /// No less than the core's own caches.
  static size_t sharedCacheReach(unsigned threads = 1);

private:
  struct Near {
    uint8_t *data;
    size_t bytes;
    size_t after; ///< How much of the walk is left behind it.
  };

  void replay(unsigned thread);

  Options options;
  std::vector<ReplayedOperand> far;
  std::vector<Near> near;       ///< The farthest first.
  llvm::ArrayRef<uint8_t> code; ///< Empty if it stays where the walk leaves it.
  /// `walkBytes` for each thread.
  std::shared_ptr<std::vector<uint8_t>> walk;
};

} // namespace pruner

#endif // PRUNER_RUNTIME_CACHEREPLAY_H
