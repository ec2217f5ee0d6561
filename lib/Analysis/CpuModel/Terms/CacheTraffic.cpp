//===- CacheTraffic.cpp - traffic between L1 and L2 -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes that cross the border of L1, at the rate of L2.
class CacheTraffic : public CpuTerm {
public:
  CacheTraffic()
      : CpuTerm("l2", /*version=*/1, Part::Cache, "traffic between L1 and L2") {
  }

  double cost(const CpuStatement &s) const override {
    return s.traffic(s.machine.l1Bytes) /
           (s.core.l2BytesPerCycle * s.core.clock);
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return "the inner loops access " + number(statement.symbols.l1Alloc) +
           " bytes, L1 has " + number(double(machine.l1Bytes));
  }
};
} // namespace

const CpuTerm &detail::getCacheTraffic() {
  static const CacheTraffic term;
  return term;
}
