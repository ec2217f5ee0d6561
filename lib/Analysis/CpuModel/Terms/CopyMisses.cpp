//===- CopyMisses.cpp - unprefetched lines of strided copies --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

namespace {
/// A strided copy reads many short runs side by side. Lines of runs that are
/// too short to be prefetched arrive late.
class CopyMisses : public CpuTerm {
public:
  CopyMisses()
      : CpuTerm("copy-misses", /*version=*/1, Part::Stall,
                "unprefetched lines of strided copies", Copies) {}

  double cost(const CpuStatement &s) const override {
    if (!s.tile.strided)
      return 0;
    double cycles = 0;
    for (const AccessSummary &access :
         llvm::ArrayRef(s.statement.accesses).drop_back()) {
      double run = double(access.contiguous);
      double bytes = run * s.elementBytes(access);
      if (s.isInMemory(access) && bytes < kPrefetchedLines * s.line)
        cycles += std::ceil(bytes / s.line) * s.core.lineMissCycles / run;
    }
    return s.tile.lanes * cycles;
  }
};
} // namespace

const CpuTerm &detail::getCopyMisses() {
  static const CopyMisses term;
  return term;
}
