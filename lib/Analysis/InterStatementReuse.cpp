//===- InterStatementReuse.cpp - reuse between statements -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterStatementReuse.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

/// Bytes that statements `first` to `last` access in an iteration of the first
/// `shared` loops, which are around all of them. An array that several access
/// counts once, with the largest part.
static double bytesAccessed(const ProgramSummary &program, unsigned first,
                            unsigned last, unsigned shared) {
  llvm::SmallVector<int64_t, 16> elements(program.buffers.size(), 0);
  for (unsigned n = first; n <= last; ++n)
    for (const AccessSummary &access : program.statements[n].accesses)
      elements[access.buffer] =
          std::max(elements[access.buffer], access.footprints[shared]);
  double bytes = 0;
  for (auto [buffer, count] : llvm::zip_equal(program.buffers, elements))
    bytes += double(count) * double(buffer.elementBytes);
  return bytes;
}

InterStatementReuse::InterStatementReuse(const ProgramSummary &program,
                                         unsigned index) {
  const StatementSummary &statement = program.statements[index];
  for (auto [a, access] : llvm::enumerate(statement.accesses)) {
    if (program.buffers[access.buffer].level != MemoryLevel::Global)
      continue;
    unsigned shared = statement.loops.size();
    for (unsigned n = index; n-- > 0;) {
      const StatementSummary &earlier = program.statements[n];
      if (earlier.kernel != statement.kernel)
        break;
      shared = std::min(shared, program.statements[n + 1].sharedLoops);
      if (!earlier.touches(access.buffer))
        continue;
      found.push_back({unsigned(a), bytesAccessed(program, n, index, shared)});
      break;
    }
  }
}
