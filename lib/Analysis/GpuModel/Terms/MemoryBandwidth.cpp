//===- MemoryBandwidth.cpp - memory bandwidth -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Bytes of main memory, in whole sectors.
class MemoryBandwidth : public GpuTerm {
public:
  MemoryBandwidth()
      : GpuTerm("memory", /*version=*/2, Part::Memory, "memory bandwidth") {}

  double seconds(const StatementPsa &statement) const override {
    return statement.memorySeconds;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return number(statement.bytes) + " bytes";
  }
};
} // namespace

const GpuTerm &detail::getMemoryBandwidth() {
  static const MemoryBandwidth term;
  return term;
}
