//===- WriteAllocate.cpp - lines read before they are written -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Lines of results that come from memory only to be overwritten. Non-temporal
/// stores avoid this.
class WriteAllocate : public CpuTerm {
public:
  WriteAllocate()
      : CpuTerm("write-allocate", /*version=*/1, Part::Memory,
                "lines read before they are written") {}

  double cost(const CpuStatement &s) const override {
    return s.memory.allocated / s.machine.memoryBandwidth;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return share + "; 'stream' avoids it";
  }
};
} // namespace

const CpuTerm &detail::getWriteAllocate() {
  static const WriteAllocate term;
  return term;
}
