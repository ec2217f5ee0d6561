//===- Stores.cpp - store port --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Stores of vectors.
class Stores : public CpuTerm {
public:
  Stores() : CpuTerm("stores", /*version=*/1, Part::Port, "store port") {}

  double cost(const CpuStatement &s) const override {
    return s.tile.stores / s.core.storesPerCycle;
  }
};
} // namespace

const CpuTerm &detail::getStores() {
  static const Stores term;
  return term;
}
