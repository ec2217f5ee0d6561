//===- LoopEnds.cpp - ends of long reduction loops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

/// Trip counts that branch predictors remember.
static constexpr double kPredictedTripCount = 64;

namespace {
/// The end of a loop is mispredicted if its trip count is beyond what branch
/// predictors remember.
class LoopEnds : public CpuTerm {
public:
  LoopEnds()
      : CpuTerm("loop-ends", /*version=*/1, Part::Prologue,
                "ends of long reduction loops", Updates) {}

  double cost(const CpuStatement &s) const override {
    return s.tile.steps > kPredictedTripCount ? s.core.restartCycles : 0;
  }
};
} // namespace

const CpuTerm &detail::getLoopEnds() {
  static const LoopEnds term;
  return term;
}
