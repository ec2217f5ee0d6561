//===- ColdAccesses.cpp - compulsory accesses of a statement --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColdAccesses.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// Whether a statement before `index` accesses the buffer.
static bool isAccessedBefore(const ProgramSummary &program, unsigned index,
                             int buffer) {
  return llvm::any_of(
      llvm::ArrayRef(program.statements).take_front(index),
      [&](const StatementSummary &earlier) { return earlier.touches(buffer); });
}

ColdAccesses::ColdAccesses(const ProgramSummary &program, unsigned index,
                           const CacheModel &cache, const CacheState &state)
    : state(state) {
  for (auto [a, access] : llvm::enumerate(program.statements[index].accesses))
    if (program.buffers[access.buffer].level == MemoryLevel::Global &&
        !isAccessedBefore(program, index, access.buffer))
      accesses.push_back(
          {unsigned(access.buffer),
           cache.accessedBytes(a) * (access.kind == AccessKind::Read ? 1 : 2)});
  for (const BufferSummary &buffer : program.buffers)
    if (buffer.level == MemoryLevel::Global)
      argumentBytes += double(buffer.elements * buffer.elementBytes);
}

double ColdAccesses::bytesIn(double capacity) const {
  double bytes = 0;
  for (const Access &access : accesses) {
    // Arguments are the first buffers.
    double lost = 1;
    if (state.isWarm())
      lost = argumentBytes > capacity;
    else if (access.argument < state.distances.size())
      lost = state.distances[access.argument].lostFrom(capacity);
    bytes += (1 - lost) * access.bytes;
  }
  return bytes;
}
