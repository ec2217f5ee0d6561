//===- Arithmetic.cpp - arithmetic ports ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Ports of fused multiply-adds, which also execute the other operations and
/// the shuffles of copies.
class Arithmetic : public CpuTerm {
public:
  Arithmetic()
      : CpuTerm("arithmetic", /*version=*/2, Part::Port, "arithmetic ports") {}

  double cost(const CpuStatement &s) const override {
    return s.tile.arithmetic / s.core.fmaPerCycle;
  }
};
} // namespace

const CpuTerm &detail::getArithmetic() {
  static const Arithmetic term;
  return term;
}
