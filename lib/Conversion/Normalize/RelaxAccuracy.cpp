//===- RelaxAccuracy.cpp - apply the allowed relaxations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "ReadTargets.h"

#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_RELAXACCURACYPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace pruner;

namespace {
struct RelaxAccuracy : pruner::impl::RelaxAccuracyPassBase<RelaxAccuracy> {
  using RelaxAccuracyPassBase::RelaxAccuracyPassBase;
  RelaxAccuracy(StringRef names, std::vector<Machine> machines, bool measures)
      : machines(std::move(machines)) {
    accuracy = names.str();
    measure = measures;
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(allowRelaxations(module, splitAccuracy(accuracy))))
      return signalPassFailure();
    FailureOr<std::vector<std::string>> allowed = allowedRelaxations(module);
    FailureOr<std::vector<Machine>> profiting =
        machines ? *machines : readTargets(module.getLoc(), *targets);
    if (failed(allowed) || failed(profiting))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || isTask(function))
        continue;
      unsigned rewritten = 0;
      for (const Relaxation *each : allRelaxations())
        if (llvm::is_contained(*allowed, each->name))
          rewritten += each->apply(rewriter, function, {*profiting, measure});
      numRewritten += rewritten;
      // Views without readers would count as readers of their source.
      if (rewritten != 0)
        (void)runRegionDCE(rewriter, function->getRegions());
    }
  }

private:
  std::optional<std::vector<Machine>> machines;
};
} // namespace

void pruner::buildRelaxAccuracyPipeline(OpPassManager &pm, StringRef accuracy,
                                        std::vector<Machine> machines,
                                        bool measures) {
  pm.addPass(
      std::make_unique<RelaxAccuracy>(accuracy, std::move(machines), measures));
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createMoveReshapesPass());
  func.addPass(createSimplifyModelPass());
}
