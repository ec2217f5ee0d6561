//===- MultiplyAdds.cpp - multiply-adds -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Floating-point lanes.
class MultiplyAdds : public GpuTerm {
public:
  MultiplyAdds()
      : GpuTerm("multiply-adds", /*version=*/1, Part::Pipe, "multiply-adds",
                &SmCycles::multiplyAdds) {}

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    double busy = multiplyAddLanes(machine) / double(machine.lanes);
    return warps * work.multiplyAdds / busy;
  }
};
} // namespace

const GpuTerm &detail::getMultiplyAdds() {
  static const MultiplyAdds term;
  return term;
}
