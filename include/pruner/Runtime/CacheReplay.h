//===- CacheReplay.h - restore cache states between runs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that is called repeatedly finds its operands and code in the nearest
// cache. In a network other kernels run in between: code and weights come from
// distant caches or memory, and activations are partly evicted. A replay
// restores this state before each timed run. It walks through memory of its own
// and accesses each operand at the point that leaves the operand's reuse
// distance until the end of the walk. Operands beyond the reach of the caches
// of all cores are flushed from all of them.

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

/// An argument of the kernel, or a part of one.
struct ReplayedOperand {
  void *data;
  size_t bytes;
  int64_t distance; ///< Its reuse distance in bytes.
};

class CacheReplay {
public:
  /// Runs its argument once on each thread of the kernel's team, with the
  /// number of the thread.
  using Team = std::function<void(llvm::function_ref<void(unsigned)>)>;

  struct Options {
    unsigned threads = 1;
    Team team; ///< Required for more than one thread.
    /// Bytes that each thread walks, enough to evict everything else from the
    /// caches of its core. (Twice their size leaves some of it on a Zen 5,
    /// depending on the location of the pages.)
    size_t walkBytes = 4 * coreCacheBytes();
    /// Operands with a longer distance are in no cache. Defaults to
    /// `sharedCacheReach`.
    std::optional<size_t> reach;
  };

  /// The code of the kernel gets the longest distance of the operands.
  CacheReplay(llvm::ArrayRef<ReplayedOperand> operands,
              llvm::ArrayRef<uint8_t> code, const Options &options);

  /// Restores the cache state before a run.
  void operator()();

  /// Bytes of the private caches of a core, or 4 MiB if the system does not
  /// report them.
  static size_t coreCacheBytes();

  /// The bytes of other memory that a network accesses on `threads` threads
  /// before the data of a core are evicted from the shared last-level cache.
  /// This is the size of that cache, or less if busy neighbors take it over; on
  /// virtual machines half of the data may be gone after 3 ms, whatever the
  /// core did. That time is measured once, in 0.1 s. Networks are assumed to
  /// access 1.5 GB/s per thread (eleven networks accessed 0.6 to 3.1 GB/s on a
  /// Zen 4, median 1.5). The result is at least the size of the core's own
  /// caches.
  static size_t sharedCacheReach(unsigned threads = 1);

private:
  struct Near {
    uint8_t *data;
    size_t bytes;
    size_t after; ///< How much of the walk follows this operand.
  };

  void replay(unsigned thread);

  Options options;
  std::vector<ReplayedOperand> far;
  std::vector<Near> near;       ///< The longest distance first.
  llvm::ArrayRef<uint8_t> code; ///< Empty if the walk alone decides its state.
  /// `walkBytes` for each thread.
  std::shared_ptr<std::vector<uint8_t>> walk;
};

} // namespace pruner

#endif // PRUNER_RUNTIME_CACHEREPLAY_H
