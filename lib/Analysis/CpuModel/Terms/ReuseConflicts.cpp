//===- ReuseConflicts.cpp - conflict misses of a reused operand -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Lines of an operand that L1 loses before the next use, although all lines
/// together would fit: its rows are a multiple of a large power of two apart,
/// so that they share a few sets. Rows of one register tile are those of
/// `row-conflicts`.
class ReuseConflicts : public CpuTerm {
public:
  ReuseConflicts()
      : CpuTerm("reuse-conflicts", /*version=*/1, Part::Cache,
                "conflict misses of an operand that is reused", Computing) {}

  double cost(const CpuStatement &s) const override {
    return s.conflictTraffic(s.machine.l1Bytes) /
           (s.core.l2BytesPerCycle * s.core.clock);
  }
};
} // namespace

const CpuTerm &detail::getReuseConflicts() {
  static const ReuseConflicts term;
  return term;
}
