//===- RowConflicts.cpp - conflict misses between the rows of an operand --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

static double ofAccess(const CpuStatement &s, const AccessSummary &access) {
  int64_t apart = int64_t(s.core.pageBytes), rows = 1, line = int64_t(s.line);
  bool walks = false;
  for (unsigned l = s.firstOwnLoop(); l < s.statement.loops.size(); ++l) {
    const LoopSummary &loop = s.statement.loops[l];
    int64_t step =
        int64_t(std::abs(double(access.strides[l])) * s.elementBytes(access));
    if (loop.extent == 1 || step == 0)
      continue;
    if (loop.level == LoopLevel::Serial) {
      walks |= step < line;
    } else if (step >= line) {
      rows *= loop.extent;
      apart = commonDivisor(apart, step);
    }
  }
  if (!walks)
    return 0;
  double places = double(s.machine.l1Bytes) / double(std::max(apart, line));
  double lost = std::clamp(double(rows) / places - 1, 0.0, 1.0);
  return lost * double(rows * line) / s.core.l2BytesPerCycle;
}

namespace {
/// Lines that the step before used and that come from L2 again: the rows of an
/// operand are a multiple of a large power of two apart, so that more of them
/// share a set of L1 than it has ways. The step waits for these lines. With 12
/// ways, 13 rows cost almost no time; with 8 ways they nearly double it.
class RowConflicts : public CpuTerm {
public:
  RowConflicts()
      : CpuTerm("row-conflicts", /*version=*/1, Part::Stall,
                "conflict misses between the rows of an operand", Computing) {}

  double cost(const CpuStatement &s) const override {
    double cycles = 0;
    if (s.machine.l1Bytes <= 0)
      return cycles;
    for (const AccessSummary &access : s.statement.accesses)
      if (access.kind == AccessKind::Read && s.isInMemory(access))
        cycles += ofAccess(s, access);
    return cycles;
  }
};
} // namespace

const CpuTerm &detail::getRowConflicts() {
  static const RowConflicts term;
  return term;
}
