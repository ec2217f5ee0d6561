//===- LoadStore.cpp - loads and stores -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Passes of the load/store units.
class LoadStore : public GpuTerm {
public:
  LoadStore()
      : GpuTerm("load-store", /*version=*/5, Part::Pipe, "loads and stores",
                &SmCycles::loadStore) {}

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return warps * work.passes;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    double spilled = statement.occupancy.spilled;
    return spilled > 0 ? share + ", with " + number(spilled) +
                             " registers expected to spill"
                       : share;
  }
};
} // namespace

const GpuTerm &detail::getLoadStore() {
  static const LoadStore term;
  return term;
}
