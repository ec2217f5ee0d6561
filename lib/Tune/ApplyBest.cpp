//===- ApplyBest.cpp - pruner-apply-best ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApplyRecords.h"
#include "pruner/Tune/LocalWorkers.h"
#include "pruner/Tune/Passes.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Target/Translation.h"

namespace pruner {
#define GEN_PASS_DEF_APPLYBESTPASS
#include "pruner/Tune/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
struct ApplyBestPass : public pruner::impl::ApplyBestPassBase<ApplyBestPass> {
  using ApplyBestPassBase::ApplyBestPassBase;

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

  static bool hasDevice() {
    auto driver = CudaDriver::load();
    if (!driver)
      llvm::consumeError(driver.takeError());
    return bool(driver);
  }

  LogicalResult apply() {
    if (db.empty())
      return emitError(
          getOperation().getLoc(),
          "pruner-apply-best: expected option 'db' to name a database");
    auto environment = Environment::create(target, threads);
    if (!environment)
      return fail(environment.takeError());
    auto database = Database::open(db, OpenMode::ReadOnly);
    if (!database)
      return fail(llvm::createStringError(
          "option 'db': " + llvm::toString(database.takeError())));
    TaskOptions extraction = {verboseRemarks, accuracy, {environment->machine}};
    extraction.joinProducts = joinProducts;
    extraction.measuresForms = true;
    FailureOr<std::vector<ModuleTask>> tasks =
        collectTasks(getOperation(), extraction);
    if (failed(tasks))
      return failure();
    if (llvm::Error error =
            findCacheStates(getOperation(), *environment, caches, *tasks))
      return fail(std::move(error));
    if (llvm::Error error = warnOfBadRows(*database, getOperation().getLoc()))
      return fail(std::move(error));
    ApplyOptions options;
    options.unmeasured = unmeasured || environment->machine.isGpu();
    options.draft = draft;
    options.what = "record for this machine";
    options.pass = "pruner-apply-best";
    options.verboseRemarks = verboseRemarks;
    // The worker is started, and the database opened for writing, only if an
    // older record must be verified again.
    std::optional<WorkerPool> pool;
    auto workers = [&]() -> WorkerPool * {
      if (!reverify || (environment->machine.isGpu() && !hasDevice()))
        return nullptr;
      if (!pool) {
        auto local = localWorker(worker);
        if (!local) {
          emitRemark(getOperation().getLoc())
              << "records of other builds are not verified again: "
              << llvm::toString(local.takeError());
          return nullptr;
        }
        pool.emplace(poolOptions(*environment, *local, *local));
      }
      return &*pool;
    };
    std::optional<Database> written;
    auto store = [&]() -> Database * {
      if (!written) {
        auto opened = Database::open(db, OpenMode::ReadWrite);
        if (!opened) {
          emitRemark(getOperation().getLoc())
              << "the new records are not stored: "
              << llvm::toString(opened.takeError());
          return nullptr;
        }
        written.emplace(std::move(*opened));
      }
      return &*written;
    };
    options.workers = workers;
    options.store = store;
    FailureOr<unsigned> applied = applyBestRecords(
        *database, *environment, *tasks, options,
        [&](llvm::Error error) { return fail(std::move(error)); });
    if (failed(applied))
      return failure();
    numApplied = *applied;
    return lower ? lowerScheduled(getOperation(), *environment) : success();
  }
};
} // namespace
