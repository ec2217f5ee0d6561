//===- RowEnds.cpp - ends of copied rows ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// The last vector of a row may be partial, and padding fills both ends.
class RowEnds : public CpuTerm {
public:
  RowEnds()
      : CpuTerm("row-ends", /*version=*/1, Part::RowStall,
                "ends of copied rows", Copies) {}

  double cost(const CpuStatement &s) const override {
    return s.statement.padded ? s.core.paddedRowCycles : s.core.rowCycles;
  }
};
} // namespace

const CpuTerm &detail::getRowEnds() {
  static const RowEnds term;
  return term;
}
