//===- MemoryPlan.h - buffers that share one memory -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_MEMORYPLAN_H
#define PRUNER_SUPPORT_MEMORYPLAN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace pruner {

/// A buffer to place: the steps of its life, both ends included, and where it
/// lies, in bytes.
struct PlannedBuffer {
  int64_t begin = 0, end = 0;
  int64_t bytes = 0, offset = 0;

  bool livesWith(const PlannedBuffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Sets the offsets such that buffers which live at the same time lie apart:
/// largest first, each in the smallest gap between those placed before it.
/// Returns the bytes of the whole.
int64_t planMemory(llvm::ArrayRef<PlannedBuffer *> buffers);

} // namespace pruner

#endif // PRUNER_SUPPORT_MEMORYPLAN_H
