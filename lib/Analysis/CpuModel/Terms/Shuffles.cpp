//===- Shuffles.cpp - transposes in registers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Shuffles of vectors that are transposed before they are stored: one per
/// cycle.
class Shuffles : public CpuTerm {
public:
  Shuffles()
      : CpuTerm("shuffles", /*version=*/1, Part::Port,
                "transposes in registers", Computing) {}

  double cost(const CpuStatement &s) const override { return s.tile.shuffles; }
};
} // namespace

const CpuTerm &detail::getShuffles() {
  static const Shuffles term;
  return term;
}
