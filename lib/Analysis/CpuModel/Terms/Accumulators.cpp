//===- Accumulators.cpp - loads and stores of accumulators ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Accumulators are loaded before the first step and stored after the last one.
class Accumulators : public CpuTerm {
public:
  Accumulators()
      : CpuTerm("accumulators", /*version=*/2, Part::Prologue,
                "loads and stores of accumulators", Updates) {}

  double cost(const CpuStatement &s) const override {
    double cycles = 0;
    for (const AccessSummary &access : s.statement.accesses) {
      if (access.kind == AccessKind::Read)
        continue;
      double count = accessOperations(s.statement, access);
      cycles += s.updatesTiles() ? tileCycles(s, count)
                                 : count / s.core.loadsPerCycle +
                                       count / s.core.storesPerCycle;
    }
    return cycles;
  }

private:
  /// Tiles are stored one row at a time. Their products wait for the loads.
  /// Measured on an Emerald Rapids at 2.7 GHz: four tiles of 16 rows take 62
  /// cycles if they are cleared, and 112 to 126 if they are loaded.
  static double tileCycles(const CpuStatement &s, double rows) {
    constexpr double kStoredPerCycle = 1, kLoadLatency = 20;
    double loads =
        s.clearsTiles() ? 0 : rows / s.core.loadsPerCycle + kLoadLatency;
    return loads + rows / kStoredPerCycle;
  }
};
} // namespace

const CpuTerm &detail::getAccumulators() {
  static const Accumulators term;
  return term;
}
