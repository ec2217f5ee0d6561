//===- MemoryRuns.cpp - short runs in memory ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// Part of the time of traffic beyond L2, for each halving of the runs.
static constexpr double kShortRun = 0.03;

/// Elements that the loops access without a gap before they continue elsewhere.
/// The rows of a register tile are accessed side by side.
static double contiguousRun(const StatementSummary &statement,
                            const AccessSummary &access) {
  int64_t run = 1;
  for (unsigned l = statement.loops.size(); l-- > 0;) {
    const LoopSummary &loop = statement.loops[l];
    int64_t stride = access.strides[l];
    if (stride == 0 || loop.extent == 1)
      continue;
    if (stride > 0 && stride <= run)
      run += stride * (loop.extent - 1);
    else if (loop.level != LoopLevel::Unroll && loop.level != LoopLevel::Vector)
      break;
  }
  return double(run);
}

namespace {
/// Prefetchers do not continue beyond a run. Each time that the runs are
/// halved, from whole pages on, traffic beyond L2 takes kShortRun longer.
class MemoryRuns : public CpuTerm {
public:
  MemoryRuns()
      : CpuTerm("memory-runs", /*version=*/1, Part::MemoryFactor,
                "short runs in memory") {}

  double cost(const CpuStatement &s) const override {
    double bytes = 0, halvings = 0;
    for (const AccessSummary &access : s.statement.accesses) {
      if (!s.isInMemory(access))
        continue;
      double size = s.elementBytes(access);
      double accessed = double(access.footprints[0]) * size;
      bytes += accessed;
      double run = contiguousRun(s.statement, access) * size;
      if (run < s.core.pageBytes)
        halvings += accessed * std::log2(s.core.pageBytes / run);
    }
    return bytes > 0 ? 1 + kShortRun * halvings / bytes : 1;
  }
};
} // namespace

const CpuTerm &detail::getMemoryRuns() {
  static const MemoryRuns term;
  return term;
}
