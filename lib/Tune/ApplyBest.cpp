//===- ApplyBest.cpp - pruner-apply-best ----------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/Passes.h"
#include "pruner/Tune/TuneTask.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Target/Translation.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERAPPLYBEST
#include "pruner/Tune/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct PrunerApplyBest
    : public pruner::impl::PrunerApplyBestBase<PrunerApplyBest> {
  using PrunerApplyBestBase::PrunerApplyBestBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<PrunerDialect>();
    registerPipelineDialects(registry);
    registerTargetDialects(registry);
  }
  void runOnOperation() override {
    if (failed(apply()))
      signalPassFailure();
  }

  LogicalResult fail(llvm::Error error) {
    return emitError(getOperation().getLoc(), "pruner-apply-best: ")
           << llvm::toString(std::move(error));
  }

  LogicalResult apply() {
    if (db.empty())
      return emitError(getOperation().getLoc(),
                       "pruner-apply-best: option 'db' names no database");
    auto environment = Environment::create(target, threads);
    if (!environment)
      return fail(environment.takeError());
    auto database = Database::open(db, OpenMode::ReadOnly);
    if (!database)
      return fail(llvm::createStringError(
          "option 'db': " + llvm::toString(database.takeError())));
    FailureOr<std::vector<TuneTask>> tasks =
        collectTasks(getOperation(), verboseRemarks);
    if (failed(tasks))
      return failure();
    FailureOr<unsigned> applied = applyBestRecords(
        *database, *environment, *tasks,
        unmeasured || environment->machine.isGpu(), "record for this machine",
        verboseRemarks,
        [&](llvm::Error error) { return fail(std::move(error)); });
    if (failed(applied))
      return failure();
    numApplied = *applied;
    return lower ? lowerScheduled(getOperation(), *environment) : success();
  }
};
} // namespace
