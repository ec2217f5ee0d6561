//===- MemoryPlan.h - placement of buffers in shared memory -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_MEMORYPLAN_H
#define PRUNER_SUPPORT_MEMORYPLAN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace pruner {

/// A buffer to place: the first and last step of its life, and its offset and
/// size in bytes.
struct PlannedBuffer {
  int64_t begin = 0, end = 0;
  int64_t bytes = 0, offset = 0;

  bool livesWith(const PlannedBuffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Sets the offsets so that buffers with overlapping lifetimes do not overlap
/// in memory. Places the largest buffer first, each in the smallest gap between
/// those placed before it. Returns the total size in bytes.
int64_t planMemory(llvm::ArrayRef<PlannedBuffer *> buffers);

} // namespace pruner

#endif // PRUNER_SUPPORT_MEMORYPLAN_H
