//===- FoldUnitDims.cpp - dimensions of extent one go -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_FOLDUNITDIMS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
struct FoldUnitDims : pruner::impl::FoldUnitDimsBase<FoldUnitDims> {
  unsigned countUnitGenerics() {
    unsigned generics = 0;
    getOperation().walk([&](linalg::GenericOp op) {
      generics += llvm::is_contained(op.getStaticLoopRanges(), 1);
    });
    return generics;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    unsigned before = countUnitGenerics();
    linalg::ControlDropUnitDims options;
    {
      // These patterns are not made for a greedy driver.
      RewritePatternSet patterns(&getContext());
      linalg::populateFoldUnitExtentDimsPatterns(patterns, options);
      walkAndApplyPatterns(getOperation(), std::move(patterns));
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldUnitExtentDimsCanonicalizationPatterns(patterns,
                                                               options);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    numGenerics += before - countUnitGenerics();
  }
};
} // namespace
