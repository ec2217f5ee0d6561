//===- CopyVectors.cpp - vectors of copies --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// A copy of a vector takes at least CoreModel::copyCycles.
class CopyVectors : public CpuTerm {
public:
  CopyVectors()
      : CpuTerm("copy-vectors", /*version=*/1, Part::Port, "vectors of copies",
                Copies) {}

  double cost(const CpuStatement &s) const override {
    return s.tile.lanes > 1 ? s.core.copyCycles : 0;
  }
};
} // namespace

const CpuTerm &detail::getCopyVectors() {
  static const CopyVectors term;
  return term;
}
