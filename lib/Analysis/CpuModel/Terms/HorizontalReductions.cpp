//===- HorizontalReductions.cpp - horizontal reductions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// Whether later statements compute with a result before the next one is begun,
/// as in chains over rows. Results that are only stored overlap with the next.
static bool isOnCriticalPath(const CpuStatement &s) {
  const StatementSummary &statement = s.statement;
  size_t next = size_t(&statement - s.program.statements.data()) + 1;
  int result = statement.written().buffer;
  return llvm::any_of(llvm::ArrayRef(s.program.statements).drop_front(next),
                      [&](const StatementSummary &later) {
                        return later.kernel == statement.kernel &&
                               (later.kind == StatementKind::Map ||
                                later.kind == StatementKind::Update) &&
                               later.touches(result);
                      });
}

namespace {
/// Vectors of partial sums are reduced by halves after the last step: a shuffle
/// and an addition each, for all vectors of the register tile side by side. On
/// the critical path they take at least their latency.
class HorizontalReductions : public CpuTerm {
public:
  HorizontalReductions()
      : CpuTerm("horizontal-reductions", /*version=*/1, Part::Prologue,
                "horizontal reductions", Updates) {}

  double cost(const CpuStatement &s) const override {
    if (s.tile.reducedLanes <= 1)
      return 0;
    double together = s.tile.vectors;
    if (isOnCriticalPath(s))
      together = std::max(together, 2 * s.core.fmaLatency);
    return together * std::log2(s.tile.reducedLanes);
  }
};
} // namespace

const CpuTerm &detail::getHorizontalReductions() {
  static const HorizontalReductions term;
  return term;
}
