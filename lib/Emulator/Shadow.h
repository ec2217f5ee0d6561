//===- Shadow.h - who touched which element when ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_EMULATOR_SHADOW_H
#define PRUNER_LIB_EMULATOR_SHADOW_H

#include "KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pruner::emulator {

/// A thread in a stretch between two barriers. Epochs grow over the whole
/// launch, so an epoch names its block too and 0 is never.
struct Access {
  uint32_t epoch = 0;
  uint16_t thread = 0;
  uint16_t site = 0;
};

/// Two accesses to one element that nothing orders, or one (`later`) to an
/// element under an asynchronous copy (`earlier`) that was not waited for.
struct Conflict {
  uint64_t element;
  Access earlier, later;
  bool pendingCopy = false;
};

/// The history of each element of one buffer, as far as a race needs it.
///
/// Within an epoch it keeps the last writer and two different readers: of two
/// readers one differs from any writer, and two different writers are reported
/// at once, so no race is missed (for accesses of one kind of atomicity).
/// Across blocks it keeps the last writer and the first reader of the launch;
/// blocks run in turn, so either of them tells whether another block came by.
class Shadow {
public:
  /// `acrossBlocks`: the buffer outlives a block and blocks are unordered.
  Shadow(uint64_t bytes, uint64_t elementBytes, bool acrossBlocks);

  /// Records an access of `kind` to `bytes` bytes from byte `offset`; bit i of
  /// `mask` says whether element i of the access takes part. `firstEpoch` is
  /// the first one of the running block.
  std::optional<Conflict> access(llvm::ArrayRef<Site> sites, Access access,
                                 AccessKind kind, uint64_t offset,
                                 uint64_t bytes, uint64_t siteElementBytes,
                                 uint64_t mask, uint32_t firstEpoch);

  /// Marks elements as the destination of a copy in flight.
  void beginCopy(Access copy, uint64_t offset, uint64_t bytes);
  void endCopy(uint64_t offset, uint64_t bytes);

  /// Forgets copies in flight: their block is over.
  void forgetCopies();

private:
  struct Cell {
    Access write, read, otherRead, firstRead, copy;
  };
  std::optional<Conflict> touch(llvm::ArrayRef<Site> sites, Cell &cell,
                                Access access, AccessKind kind,
                                uint32_t firstEpoch) const;

  std::vector<Cell> cells;
  uint64_t elementBytes;
  bool acrossBlocks;
};

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_SHADOW_H
