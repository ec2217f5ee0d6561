//===- Issue.cpp - issue slots --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Slots of all instructions, with those of the loop around the register tile.
class Issue : public CpuTerm {
public:
  Issue()
      : CpuTerm("issue", /*version=*/1, Part::Port, "issue slots", Computing) {}

  double cost(const CpuStatement &s) const override {
    const RegisterTile &tile = s.tile;
    return (tile.arithmetic + tile.shuffles + tile.loads + tile.stores +
            s.core.loopOverhead / double(s.unroll)) /
           s.core.issueWidth;
  }
};
} // namespace

const CpuTerm &detail::getIssue() {
  static const Issue term;
  return term;
}
