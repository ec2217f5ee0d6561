//===- Waits.cpp - waiting ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Latencies and barriers that no other warp hides.
class Waits : public GpuTerm {
public:
  Waits()
      : GpuTerm("wait", /*version=*/1, Part::Wait, "waiting", &SmCycles::wait) {
  }

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return work.wait;
  }
};
} // namespace

const GpuTerm &detail::getWaits() {
  static const Waits term;
  return term;
}
