//===- SetConflicts.cpp - conflict misses between operands ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// Lines of a register tile that share a set of L1, where any do.
static double linesOfSet(const CpuStatement &s, const AccessSummary &access) {
  int64_t way = int64_t(s.core.pageBytes), sets = 1, line = int64_t(s.line);
  double lines = 1;
  bool isFar = false;
  for (unsigned l = s.firstOwnLoop(); l < s.statement.loops.size(); ++l) {
    const LoopSummary &loop = s.statement.loops[l];
    int64_t step =
        int64_t(std::abs(double(access.strides[l])) * s.elementBytes(access));
    if (loop.extent == 1 || step < line)
      continue;
    isFar = true;
    lines *= double(loop.extent);
    sets *= std::min(loop.extent, way / commonDivisor(way, step));
  }
  if (!isFar)
    return 1;
  return lines / double(std::min(sets, std::max<int64_t>(1, way / line)));
}

namespace {
/// Lines that L1 had, or had prefetched, and lost again, in a register tile
/// that does not accumulate: the rows of all operands that share a set are more
/// than it has ways.
class SetConflicts : public CpuTerm {
public:
  SetConflicts()
      : CpuTerm("set-conflicts", /*version=*/1, Part::Stall,
                "conflict misses between operands", Others) {}

  double cost(const CpuStatement &s) const override {
    if (s.machine.l1Bytes <= 0)
      return 0;
    double sharing = 0, bytes = 0;
    for (const AccessSummary &access : s.statement.accesses)
      if (s.isInMemory(access))
        sharing += linesOfSet(s, access);
    double ways = double(s.machine.l1Bytes) / s.core.pageBytes;
    if (sharing <= ways)
      return 0;
    for (const AccessSummary &access : s.statement.accesses)
      if (s.isInMemory(access))
        bytes +=
            accessOperations(s.statement, access) * double(int64_t(s.line));
    double lost = std::min(sharing / ways - 1, 1.0);
    return lost * bytes / s.core.l2BytesPerCycle;
  }
};
} // namespace

const CpuTerm &detail::getSetConflicts() {
  static const SetConflicts term;
  return term;
}
