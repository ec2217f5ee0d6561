//===- WarpIssue.cpp - instructions ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Slots of the schedulers. Those of Kepler issue more than one instruction: as
/// many as keep the lanes busy.
class WarpIssue : public GpuTerm {
public:
  WarpIssue()
      : GpuTerm("issue", /*version=*/5, Part::Pipe, "instructions",
                &SmCycles::issue) {}

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    double busy = multiplyAddLanes(machine) / double(machine.lanes);
    return warps * work.issue /
           std::max(double(machine.schedulersPerUnit), busy);
  }
};
} // namespace

const GpuTerm &detail::getWarpIssue() {
  static const WarpIssue term;
  return term;
}
