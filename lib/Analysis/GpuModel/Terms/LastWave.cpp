//===- LastWave.cpp - SMs without work in the last wave -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// P_{l2,c}: blocks run in whole waves.
class LastWave : public GpuTerm {
public:
  LastWave()
      : GpuTerm("last-wave", /*version=*/1, Part::Waves,
                "SMs without work in the last wave") {}

  double seconds(const StatementPsa &statement) const override {
    return statement.computeSeconds * (1 - statement.penalties.l2Compute);
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return number(statement.symbols.l2Parallel) + " blocks on " +
           number(double(machine.units)) + " SMs use " +
           percent(statement.penalties.l2Compute);
  }
};
} // namespace

const GpuTerm &detail::getLastWave() {
  static const LastWave term;
  return term;
}
