//===- NormalizeStrides.cpp - steps between elements that are one ---------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Pipelines/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERNORMALIZESTRIDES
#include "pruner/Pipelines/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct NormalizeStridesPass
    : public pruner::impl::PrunerNormalizeStridesBase<NormalizeStridesPass> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        rewrite(slice);
      else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
        rewrite(slice);
    });
  }

private:
  template <typename SliceOp> void rewrite(SliceOp op) {
    SmallVector<int64_t> strides(op.getStaticStrides());
    bool changed = false;
    for (auto [stride, size] : llvm::zip_equal(strides, op.getStaticSizes()))
      if (size == 1 && stride != 1 && !ShapedType::isDynamic(stride)) {
        stride = 1;
        changed = true;
      }
    if (!changed)
      return;
    op.setStaticStrides(strides);
    ++numSlices;
  }
};
} // namespace
