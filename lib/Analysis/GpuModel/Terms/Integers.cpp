//===- Integers.cpp - address arithmetic ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

/// Integer lanes of an SM: 64 since Volta, two thirds of that for multiplies on
/// Kepler.
static constexpr double kIntegerLanes = 64;

namespace {
/// Integer lanes, which compute addresses.
class Integers : public GpuTerm {
public:
  Integers()
      : GpuTerm("integer", /*version=*/3, Part::Pipe, "address arithmetic",
                &SmCycles::integer) {}

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return warps * work.integer * double(machine.lanes) / kIntegerLanes;
  }
};
} // namespace

const GpuTerm &detail::getIntegers() {
  static const Integers term;
  return term;
}
