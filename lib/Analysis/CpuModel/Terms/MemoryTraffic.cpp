//===- MemoryTraffic.cpp - memory bandwidth -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes that cross the border of the last cache.
class MemoryTraffic : public CpuTerm {
public:
  MemoryTraffic()
      : CpuTerm("memory", /*version=*/1, Part::Memory, "memory bandwidth") {}

  double cost(const CpuStatement &s) const override {
    int64_t last =
        s.machine.l3Bytes > 0 ? s.machine.l3Bytes : s.machine.l2Bytes;
    return s.traffic(last) / s.machine.memoryBandwidth;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return number(statement.bytes) + " bytes";
  }
};
} // namespace

const CpuTerm &detail::getMemoryTraffic() {
  static const MemoryTraffic term;
  return term;
}
