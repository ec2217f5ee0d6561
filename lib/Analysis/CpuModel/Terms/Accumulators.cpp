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
      : CpuTerm("accumulators", /*version=*/1, Part::Prologue,
                "loads and stores of accumulators", Updates) {}

  double cost(const CpuStatement &s) const override {
    double cycles = 0;
    for (const AccessSummary &access : s.statement.accesses) {
      if (access.kind == AccessKind::Read)
        continue;
      double count = accessOperations(s.statement, access);
      cycles += count / s.core.loadsPerCycle + count / s.core.storesPerCycle;
    }
    return cycles;
  }
};
} // namespace

const CpuTerm &detail::getAccumulators() {
  static const Accumulators term;
  return term;
}
