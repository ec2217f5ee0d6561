//===- RelaxAccuracy.cpp - apply the allowed relaxations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Machine/MachineFile.h"

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
  RelaxAccuracy(StringRef names, std::vector<Machine> machines)
      : machines(std::move(machines)) {
    accuracy = names.str();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(allowRelaxations(module, splitAccuracy(accuracy))) ||
        failed(readTargets()))
      return signalPassFailure();
    FailureOr<std::vector<std::string>> allowed = allowedRelaxations(module);
    if (failed(allowed))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || isTask(function))
        continue;
      unsigned rewritten = 0;
      for (const Relaxation *each : allRelaxations())
        if (llvm::is_contained(*allowed, each->name))
          rewritten += each->apply(rewriter, function, *machines);
      numRewritten += rewritten;
      // Views of what is not read any more would count as its readers.
      if (rewritten != 0)
        (void)runRegionDCE(rewriter, function->getRegions());
    }
  }

private:
  /// Describes the machines that the options name, unless they were given.
  LogicalResult readTargets() {
    if (machines)
      return success();
    std::vector<std::string> names(targets.begin(), targets.end());
    if (names.empty())
      names.push_back("cpu");
    machines.emplace();
    for (const std::string &name : names) {
      llvm::Expected<Machine> machine = parseTarget(name);
      if (!machine)
        return emitError(getOperation().getLoc())
               << "option 'targets': " << llvm::toString(machine.takeError());
      machines->push_back(std::move(*machine));
    }
    return success();
  }

  std::optional<std::vector<Machine>> machines;
};
} // namespace

std::unique_ptr<mlir::Pass>
pruner::createRelaxAccuracyPass(llvm::StringRef accuracy,
                                std::vector<Machine> machines) {
  return std::make_unique<RelaxAccuracy>(accuracy, std::move(machines));
}
