//===- LoadStore.cpp - loads and stores -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Passes of the load/store units.
class LoadStore : public GpuTerm {
public:
  LoadStore()
      : GpuTerm("load-store", /*version=*/1, Part::Pipe, "loads and stores",
                &SmCycles::loadStore) {}

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return warps * work.passes;
  }
};
} // namespace

const GpuTerm &detail::getLoadStore() {
  static const LoadStore term;
  return term;
}
