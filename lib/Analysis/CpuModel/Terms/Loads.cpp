//===- Loads.cpp - load ports ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Loads of vectors; one that crosses the border of a line counts twice.
class Loads : public CpuTerm {
public:
  Loads() : CpuTerm("loads", /*version=*/1, Part::Port, "load ports") {}

  double cost(const CpuStatement &s) const override {
    return s.tile.loads / s.core.loadsPerCycle;
  }
};
} // namespace

const CpuTerm &detail::getLoads() {
  static const Loads term;
  return term;
}
