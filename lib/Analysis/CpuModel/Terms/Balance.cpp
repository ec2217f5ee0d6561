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
};
} // namespace

const CpuTerm &detail::getBalance() {
  static const Balance term;
  return term;
}
