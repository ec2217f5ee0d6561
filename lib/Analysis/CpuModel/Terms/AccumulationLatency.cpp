//===- AccumulationLatency.cpp - latency of accumulation ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "pruner/Program/TiledProgram.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Cycles of the operation that adds to the accumulators.
double latencyOf(const MatrixInstruction *instruction, const Core &core) {
  if (instruction && instruction->isTile())
    return core.tileLatency;
  return instruction && instruction->addsApart() ? 1 : core.fmaLatency;
}

/// An accumulator is ready for its next addition after one latency. A
/// horizontal reduction has several sets of accumulators.
class AccumulationLatency : public CpuTerm {
public:
  AccumulationLatency()
      : CpuTerm("latency", /*version=*/1, Part::Port, "latency of accumulation",
                Updates) {}

  double cost(const CpuStatement &s) const override {
    int64_t chains = s.tile.reducedLanes > 1
                         ? accumulatorSets(std::min(s.unroll, s.tile.innermost),
                                           int64_t(s.tile.vectors))
                         : 1;
    return latencyOf(s.statement.instruction, s.core) / double(chains);
  }
};
} // namespace

const CpuTerm &detail::getAccumulationLatency() {
  static const AccumulationLatency term;
  return term;
}
