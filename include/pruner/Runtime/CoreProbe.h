//===- CoreProbe.h - what one core costs, measured --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_COREPROBE_H
#define PRUNER_RUNTIME_COREPROBE_H

#include <cstddef>

namespace pruner {

/// Times of one core, in seconds, 0 where this architecture has no probe. Each
/// is the best of many short chunks in turns with the others, since whatever
/// disturbs a chunk makes it longer. Divided by `cycle` they are the numbers of
/// Machine/Machine.h's CoreModel.
struct CoreProbe {
  /// An addition of integers that waits for the one before: a cycle on every
  /// core.
  double cycle = 0;
  /// A multiply-add of the widest vectors that waits for the one before.
  double fma = 0;
  /// A load, and a store, of such a vector that hits the first-level cache,
  /// among many that wait for nothing.
  double load = 0, store = 0;
  /// A line fetched from a buffer of `bytes`, among many in an order that no
  /// prefetcher foresees and that depends on nothing loaded.
  double line = 0;
  /// What a reduction loop of 8 to 24 steps takes beside these and beside
  /// fetching and putting back its accumulators: its end is not foreseen, and
  /// what follows waits for it as far as the core does not run ahead. At least
  /// a cycle.
  double restart = 0;
};

/// Measures for about `seconds` in all; `bytes` is the size of the buffer whose
/// lines are fetched, half of the second-level cache for that cache's lines.
CoreProbe probeCore(size_t bytes, double seconds = 0.5);

} // namespace pruner

#endif // PRUNER_RUNTIME_COREPROBE_H
