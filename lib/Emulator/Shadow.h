//===- Shadow.h - access history of memory elements -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_SHADOW_H
#define PRUNER_LIB_EMULATOR_SHADOW_H

#include "KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pruner::emulator {

/// A thread between two barriers. Epochs increase during the whole launch, so
/// an epoch also identifies its block. 0 means never.
struct Access {
  uint32_t epoch = 0;
  uint16_t thread = 0;
  uint16_t site = 0;
};

/// Two unordered accesses to one element, or an access (`later`) to an element
/// of a pending asynchronous copy (`earlier`).
struct Conflict {
  uint64_t element;
  Access earlier, later;
  bool pendingCopy = false;
};

/// The history of each element of one buffer, as far as it is needed to detect
/// races.
///
/// Within an epoch it keeps the last writer and two different readers. One of
/// two readers differs from any writer, and two different writers are reported
/// at once, so no race is missed (for accesses of one kind of atomicity).
/// Across blocks it keeps the last writer and the first reader of the launch.
/// Because blocks run one after the other, either of them shows whether another
/// block accessed the element.
class Shadow {
public:
  /// `acrossBlocks`: the buffer outlives a block, and blocks are unordered.
  Shadow(uint64_t bytes, uint64_t elementBytes, bool acrossBlocks);

  /// Records an access of `kind` to `bytes` bytes from byte `offset`. Bit i of
  /// `mask` states whether element i of the access takes part. `firstEpoch` is
  /// the first one of the current block.
  std::optional<Conflict> access(llvm::ArrayRef<Site> sites, Access access,
                                 AccessKind kind, uint64_t offset,
                                 uint64_t bytes, uint64_t siteElementBytes,
                                 uint64_t mask, uint32_t firstEpoch);

  /// Marks elements as the destination of a pending copy.
  void beginCopy(Access copy, uint64_t offset, uint64_t bytes);
  void endCopy(uint64_t offset, uint64_t bytes);

  /// Forgets pending copies of a block that has ended.
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
