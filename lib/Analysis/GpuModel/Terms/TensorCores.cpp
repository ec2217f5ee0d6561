//===- TensorCores.cpp - products of matrices -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// Tensor cores, at the rates of the data sheets (SmModel).
class TensorCores : public GpuTerm {
public:
  TensorCores()
      : GpuTerm("tensor", /*version=*/1, Part::Pipe, "tensor cores",
                &SmCycles::tensor) {}

  bool hasColumns() const override { return false; }

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return warps * work.tensor;
  }
};
} // namespace

const GpuTerm &detail::getTensorCores() {
  static const TensorCores term;
  return term;
}
