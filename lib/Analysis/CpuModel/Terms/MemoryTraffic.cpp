//===- MemoryTraffic.cpp - memory bandwidth -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes that are read from memory and written to it. Lines of results are read
/// before they are written, unless the stores are non-temporal.
class MemoryTraffic : public CpuTerm {
public:
  MemoryTraffic()
      : CpuTerm("memory", /*version=*/1, Part::Memory, "memory bandwidth") {}

  double cost(const CpuStatement &s) const override {
    return s.memory.total() / s.machine.memoryBandwidth;
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
