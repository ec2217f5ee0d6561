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
  const StatementSummary &statement = program.statements[index];
  for (auto [a, access] : llvm::enumerate(statement.accesses)) {
    bool aroundCaches =
        statement.nontemporal && access.kind == AccessKind::Write;
    if (program.buffers[access.buffer].level == MemoryLevel::Global &&
        !aroundCaches && !isAccessedBefore(program, index, access.buffer))
      accesses.push_back(
          {unsigned(access.buffer), access.kind, cache.accessedBytes(a)});
  }
  for (const BufferSummary &buffer : program.buffers)
    if (buffer.level == MemoryLevel::Global)
      argumentBytes += double(buffer.elements * buffer.elementBytes);
}

Traffic ColdAccesses::trafficIn(double capacity) const {
  Traffic held;
  for (const Access &access : accesses) {
    // Arguments are the first buffers.
    double lost = 1;
    if (state.isWarm())
      lost = argumentBytes > capacity;
    else if (access.argument < state.distances.size())
      lost = state.distances[access.argument].lostFrom(capacity);
    double bytes = (1 - lost) * access.bytes;
    held.moved += access.kind == AccessKind::ReadWrite ? 2 * bytes : bytes;
    if (access.kind == AccessKind::Write)
      held.allocated += bytes;
  }
  return held;
}
