//===- CacheTraffic.cpp - traffic between L1 and L2 -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

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
};
} // namespace

const CpuTerm &detail::getCacheTraffic() {
  static const CacheTraffic term;
  return term;
}
