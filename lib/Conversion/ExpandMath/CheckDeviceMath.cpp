//===- CheckDeviceMath.cpp - functions without device instructions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "pruner/Dialect/Pruner/Utils/DeviceMath.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace pruner {
#define GEN_PASS_DEF_CHECKDEVICEMATHPASS
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct CheckDeviceMathPass
    : public pruner::impl::CheckDeviceMathPassBase<CheckDeviceMathPass> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](Operation *op) {
      if (std::string why = whyNoDeviceCode(op); !why.empty()) {
        op->emitOpError(why);
        failed = true;
        return;
      }
      if (hasDeviceInstruction(op))
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
