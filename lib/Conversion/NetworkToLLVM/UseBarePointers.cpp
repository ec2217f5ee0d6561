//===- UseBarePointers.cpp - pass tensors as bare pointers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {
#define GEN_PASS_DEF_USEBAREPOINTERSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
struct UseBarePointersPass
    : public pruner::impl::UseBarePointersPassBase<UseBarePointersPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || !callee.isExternal() ||
          !llvm::any_of(callee.getResultTypes(), llvm::IsaPred<TensorType>))
        return;
      call.emitError("calls @")
          << callee.getName()
          << ", which returns a tensor and has no body, so it is unknown who "
             "allocates the result";
      signalPassFailure();
    });
    for (auto function : getOperation().getOps<func::FuncOp>())
      function->setAttr("llvm.bareptr", UnitAttr::get(&getContext()));
  }
};
} // namespace
