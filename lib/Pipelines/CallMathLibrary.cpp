//===- CallMathLibrary.cpp - functions of the C library -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Pipelines/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERCALLMATHLIBRARY
#include "pruner/Pipelines/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct CallMathLibraryPass
    : public pruner::impl::PrunerCallMathLibraryBase<CallMathLibraryPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::ErfOp, math::ErfcOp, math::CbrtOp, math::AsinhOp,
                        math::AcoshOp, math::AtanhOp>();
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
