//===- FirstTouches.cpp - arguments that caches may hold ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FirstTouches.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// Whether a statement before `index` touches the buffer.
static bool isTouchedBefore(const ProgramSummary &program, unsigned index,
                            int buffer) {
  return llvm::any_of(
      llvm::ArrayRef(program.statements).take_front(index),
      [&](const StatementSummary &earlier) { return earlier.touches(buffer); });
}

FirstTouches::FirstTouches(const ProgramSummary &program, unsigned index,
                           const CacheModel &cache, const CacheState &state)
    : state(state) {
  for (auto [a, access] : llvm::enumerate(program.statements[index].accesses))
    if (program.buffers[access.buffer].level == MemoryLevel::Global &&
        !isTouchedBefore(program, index, access.buffer))
      touches.push_back(
          {unsigned(access.buffer),
           cache.touched(a) * (access.kind == AccessKind::Read ? 1 : 2)});
  for (const BufferSummary &buffer : program.buffers)
    if (buffer.level == MemoryLevel::Global)
      argumentBytes += double(buffer.elements * buffer.elementBytes);
}

double FirstTouches::bytesIn(double capacity) const {
  double bytes = 0;
  for (const Touch &touch : touches) {
    // Arguments are the first buffers.
    double lost = 1;
    if (state.isWarm())
      lost = argumentBytes > capacity;
    else if (touch.argument < state.distances.size())
      lost = state.distances[touch.argument].lostFrom(capacity);
    bytes += (1 - lost) * touch.bytes;
  }
  return bytes;
}
