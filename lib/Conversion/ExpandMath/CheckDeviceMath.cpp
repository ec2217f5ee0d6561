//===- CheckDeviceMath.cpp - functions without device instructions --------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERCHECKDEVICEMATH
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct CheckDeviceMathPass
    : public pruner::impl::PrunerCheckDeviceMathBase<CheckDeviceMathPass> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](Operation *op) {
      // LLVM expands remainders for devices as x - trunc(x / y) y, which has no
      // correct digit if the quotient is large.
      bool remainder = isa<arith::RemFOp>(op);
      if (!remainder && !isa_and_present<math::MathDialect>(op->getDialect()))
        return;
      if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
              math::TruncOp, math::RoundOp, math::RoundEvenOp, math::SqrtOp,
              math::FmaOp, math::CopySignOp, math::CountLeadingZerosOp,
              math::CountTrailingZerosOp, math::CtPopOp, math::IsFiniteOp,
              math::IsInfOp, math::IsNaNOp, math::IsNormalOp>(op))
        return;
      op->emitOpError("on ")
          << op->getResult(0).getType()
          << " has no device instruction and no expansion; calls to a device "
             "library are not supported";
      failed = true;
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
