//===- LastLevelTraffic.cpp - traffic between L2 and L3 -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes that cross the border of L2, at the rate of L3, with those that enter
/// it again because rows share its sets: L2 finds a set by the offset in a page
/// like L1, and by bits of the page's number. If the rate is not measured it is
/// taken to be the geometric mean of its neighbors' rates.
class LastLevelTraffic : public CpuTerm {
public:
  LastLevelTraffic()
      : CpuTerm("l3", /*version=*/2, Part::Memory,
                "traffic between L2 and L3") {}

  double cost(const CpuStatement &s) const override {
    if (s.machine.l3Bytes <= 0)
      return 0;
    double l2Rate = s.core.l2BytesPerCycle * s.core.clock;
    double rate = s.core.l3Bandwidth > 0
                      ? s.core.l3Bandwidth
                      : std::sqrt(l2Rate * s.machine.memoryBandwidth);
    return (s.traffic(s.machine.l2Bytes) +
            s.conflictTraffic(s.machine.l2Bytes)) /
           rate;
  }
};
} // namespace

const CpuTerm &detail::getLastLevelTraffic() {
  static const LastLevelTraffic term;
  return term;
}
