//===- AsyncCopies.h - pending asynchronous copies of a thread --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_ASYNCCOPIES_H
#define PRUNER_LIB_EMULATOR_ASYNCCOPIES_H

#include <cstdint>
#include <deque>
#include <vector>

namespace pruner::emulator {

struct AsyncCopy {
  unsigned site;
  uint64_t destination, source;
  uint64_t bytes, sourceBytes;
};

/// The asynchronous copies of one thread. As in PTX (cp.async.commit_group,
/// cp.async.wait_group), a group contains the copies issued since the last
/// group, and a wait completes the oldest groups until few enough are pending.
struct AsyncCopies {
  std::vector<AsyncCopy> open;
  std::deque<std::vector<AsyncCopy>> groups;

  void commit() {
    groups.push_back(std::move(open));
    open.clear();
  }
  void clear() {
    open.clear();
    groups.clear();
  }
};

/// Fills memory with a value that no correct kernel computes: a quiet NaN as
/// any floating-point type of 2, 4 or 8 bytes.
void poison(void *memory, uint64_t bytes, uint64_t elementBytes);

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_ASYNCCOPIES_H
