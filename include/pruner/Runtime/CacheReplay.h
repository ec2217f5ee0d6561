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
// that is timed, a replay does what those others would have done to the caches:
// it walks through memory of its own, and touches each operand as many bytes
// before the end as its reuse distance says. The walk is only as long as it
// takes to empty the caches of a core. Operands that are farther away are there
// in many copies, used in turns, so that their distance adds up over the runs.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_CACHEREPLAY_H
#define PRUNER_RUNTIME_CACHEREPLAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace pruner {

/// Memory that grows and is kept: fresh pages cost more than most candidates.
class ReplayMemory {
public:
  ReplayMemory() = default;
  ReplayMemory(const ReplayMemory &) = delete;
  ReplayMemory &operator=(const ReplayMemory &) = delete;
  ~ReplayMemory();

  /// At least `bytes` bytes at a page's start, with anything in them; null when
  /// the system has no more. What was got before is gone.
  uint8_t *get(size_t bytes);

private:
  uint8_t *memory = nullptr;
  size_t size = 0;
};

/// An argument of the kernel.
struct ReplayedOperand {
  const void *content; ///< What copies hold.
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
    /// Bytes that each thread walks; 0: twice the caches of a core.
    size_t walkBytes = 0;
    /// Longer distances count as this: the memory of a replay is at most this
    /// for walks and as much for copies, besides one of each operand.
    int64_t mostDistance = int64_t(256) << 20;
  };

  /// Makes the copies. Nothing when there is no memory for them. Both memories
  /// are used as long as the replay lives.
  static std::optional<CacheReplay>
  create(ReplayMemory &copies, ReplayMemory &walks,
         llvm::ArrayRef<ReplayedOperand> operands, const Options &options);

  /// Brings the caches into the state before a run and returns the addresses
  /// of the operands for it.
  llvm::ArrayRef<void *> next();

  /// Of tests: how many copies of an operand there are.
  size_t numCopies(size_t operand) const { return operands[operand].copies; }

private:
  struct Operand {
    uint8_t *first = nullptr;
    size_t bytes = 0, stride = 0;
    size_t copies = 1, turn = 0;
    size_t distance = 0;
  };

  void replay(unsigned thread);

  Options options;
  std::vector<Operand> operands;
  /// Those within a walk, the farthest first, and how much of the walk is left
  /// behind each.
  std::vector<std::pair<size_t, size_t>> near;
  uint8_t *walk = nullptr;
  size_t walkShare = 0;       ///< Bytes of `walk` for each thread.
  std::vector<size_t> walkAt; ///< Where each thread is in its share.
  std::vector<void *> addresses;
};

/// Bytes of the caches that one core has for itself, or 4 MiB where the system
/// does not say.
size_t coreCacheBytes();

} // namespace pruner

#endif // PRUNER_RUNTIME_CACHEREPLAY_H
