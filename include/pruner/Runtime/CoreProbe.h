//===- CoreProbe.h - measured costs of one core -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_COREPROBE_H
#define PRUNER_RUNTIME_COREPROBE_H

#include <cstddef>

namespace pruner {

/// Times of one core in seconds; 0 where this architecture has no probe. Each
/// is the best of many short chunks, interleaved with those of the other times,
/// because a disturbance only makes a chunk longer. Divided by `cycle` they are
/// the values of CoreModel in Machine/Machine.h.
struct CoreProbe {
  /// An integer addition that depends on the previous one: one cycle on every
  /// core.
  double cycle = 0;
  /// A multiply-add of the widest vectors that depends on the previous one.
  double fma = 0;
  /// A load, and a store, of such a vector that hits the first-level cache,
  /// among many independent ones.
  double load = 0, store = 0;
  /// Fetching a line from a buffer of `bytes`, among many in an order that no
  /// prefetcher predicts and that depends on no loaded value.
  double line = 0;
  /// The same for lines that are each in a page of their own. The pages are
  /// more than a TLB holds.
  double page = 0;
  /// The overhead of a reduction loop of 8 to 24 steps, without its steps and
  /// without loading and storing its accumulators. The end of the loop is
  /// mispredicted, and the following code waits for it as far as the core does
  /// not execute ahead. At least a cycle.
  double restart = 0;
};

/// Measures for about `seconds` in total. `bytes` is the size of the buffer
/// whose lines are fetched: half of the second-level cache for lines of that
/// cache.
CoreProbe probeCore(size_t bytes, double seconds = 0.5);

} // namespace pruner

#endif // PRUNER_RUNTIME_COREPROBE_H
