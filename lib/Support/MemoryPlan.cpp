//===- MemoryPlan.cpp - placement of buffers in shared memory -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/MemoryPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace pruner;

int64_t pruner::planMemory(llvm::ArrayRef<PlannedBuffer *> buffers) {
  llvm::SmallVector<PlannedBuffer *> order(buffers);
  llvm::stable_sort(order, [](PlannedBuffer *a, PlannedBuffer *b) {
    return a->bytes > b->bytes;
  });
  llvm::SmallVector<PlannedBuffer *> placed; // Sorted by offset.
  int64_t total = 0;
  for (PlannedBuffer *buffer : order) {
    int64_t end = 0, best = -1, bestGap = 0;
    for (PlannedBuffer *other : placed) {
      if (!buffer->livesWith(*other))
        continue;
      int64_t gap = other->offset - end;
      if (gap >= buffer->bytes && (best < 0 || gap < bestGap)) {
        best = end;
        bestGap = gap;
      }
      end = std::max(end, other->offset + other->bytes);
    }
    buffer->offset = best < 0 ? end : best;
    total = std::max(total, buffer->offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](PlannedBuffer *a, PlannedBuffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
  }
  return total;
}
