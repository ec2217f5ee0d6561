//===- Spills.cpp - registers ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

namespace {
/// P_{l0,m}: the part of the registers' demand that the machine has.
class Spills : public CpuTerm {
public:
  Spills() : CpuTerm("spills", /*version=*/2, Part::RegisterUse, "registers") {}

  double cost(const CpuStatement &s) const override {
    // Rule R11 limits tile registers; they are never spilled.
    if (s.statement.instruction && s.statement.instruction->isTile())
      return 1;
    if (s.symbols.l0Alloc <= 0 || s.machine.vectorRegisters <= 0)
      return 1;
    return std::min(1.0, double(s.machine.vectorRegisters) *
                             s.symbols.l1Parallel / s.symbols.l0Alloc);
  }
};
} // namespace

const CpuTerm &detail::getSpills() {
  static const Spills term;
  return term;
}
