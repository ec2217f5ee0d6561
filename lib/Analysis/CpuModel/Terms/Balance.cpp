//===- Balance.cpp - cores without work in the last wave ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// P_{l2,c}: chunks are distributed to the cores in whole waves.
class Balance : public CpuTerm {
public:
  Balance()
      : CpuTerm("balance", /*version=*/1, Part::CoreUse,
                "cores without work in the last wave") {}

  double cost(const CpuStatement &s) const override {
    return waveUse(s.symbols.l2Parallel, s.cores);
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return number(statement.symbols.l2Parallel) + " chunks on " +
           number(double(machine.units)) + " cores use " +
           percent(statement.penalties.l2Compute);
  }
};
} // namespace

const CpuTerm &detail::getBalance() {
  static const Balance term;
  return term;
}
