//===- MemoryTraffic.cpp - memory bandwidth -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes that a program reads from memory and writes to it.
class MemoryTraffic : public CpuTerm {
public:
  MemoryTraffic()
      : CpuTerm("memory", /*version=*/2, Part::Memory, "memory bandwidth") {}

  double cost(const CpuStatement &s) const override {
    return s.memory.moved / s.machine.memoryBandwidth;
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
