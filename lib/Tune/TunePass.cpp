//===- TunePass.cpp - pruner-tune -----------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/Passes.h"
#include "pruner/Tune/Tuner.h"

#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Target/Translation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERTUNE
#include "pruner/Tune/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// The worker that stands beside this program.
static std::string workerProgram() {
  static int anchor;
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, &anchor);
  llvm::SmallString<256> path(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(path, "pruner-worker");
  return llvm::sys::fs::can_execute(path) ? path.str().str() : "pruner-worker";
}

namespace {
struct PrunerTune : public pruner::impl::PrunerTuneBase<PrunerTune> {
  using PrunerTuneBase::PrunerTuneBase;

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override {
    if (failed(tune()))
      signalPassFailure();
  }

  LogicalResult fail(llvm::Error error) {
    return getOperation().emitError("pruner-tune: ")
           << llvm::toString(std::move(error));
  }
  LogicalResult fail(const Twine &message) {
    return getOperation().emitError("pruner-tune: ") << message;
  }

  LogicalResult checkOptions() {
    if (trials == 0)
      return fail("option 'trials' must be at least 1");
    if (batch == 0)
      return fail("option 'batch' must be at least 1");
    if (llvm::is_contained(searchStrategyNames(), llvm::StringRef(strategy)))
      return success();
    std::string names;
    for (llvm::StringRef name : searchStrategyNames())
      names += (names.empty() ? "'" : ", '") + name.str() + "'";
    return fail("option 'strategy': '" + strategy +
                "' is unknown; expected one of " + names);
  }

  /// Null for 'none', and where 'auto' finds nothing.
  FailureOr<std::unique_ptr<CostModel>> createModel() {
    bool automatic = model == "auto";
    if (model == "none" ||
        (automatic && strategy != "draft-verify" && strategy != "learned-all"))
      return std::unique_ptr<CostModel>();
    // The linear model has no randomness and takes no seed.
    std::string options =
        model == "linear" ? "{}" : "{\"seed\": " + std::to_string(seed) + "}";
    CostModelOrError created =
        createCostModel(automatic ? std::string("pacm") : model, options);
    for (const std::string &warning : created.warnings)
      llvm::errs() << "pruner-tune: warning: " << warning << "\n";
    if (!created.model) {
      if (!automatic)
        return fail("option 'model': " + created.error);
      llvm::errs() << "pruner-tune: warning: no learned model, the draft model "
                      "chooses alone: "
                   << created.error << "\n";
      return std::unique_ptr<CostModel>();
    }
    if (!weights.empty())
      if (std::string error = created.model->load(weights); !error.empty())
        return fail("option 'weights': " + error);
    return std::move(created.model);
  }

  /// Whether a CUDA device is here; says why not.
  bool hasDevice() {
    auto driver = CudaDriver::load();
    if (driver)
      return true;
    llvm::errs() << "pruner-tune: no GPU: "
                 << llvm::toString(driver.takeError())
                 << "; nothing is measured, the draft model ranks and the best "
                    "candidates are compiled\n";
    return false;
  }

  LogicalResult tune();
};
} // namespace

void PrunerTune::getDependentDialects(DialectRegistry &registry) const {
  registry.insert<PrunerDialect>();
  registerPipelineDialects(registry);
  registerTargetDialects(registry);
}

LogicalResult PrunerTune::tune() {
  if (failed(checkOptions()))
    return failure();
  auto environment = Environment::create(target, threads);
  if (!environment)
    return fail(environment.takeError());
  auto database = Database::open(db.empty() ? std::string(":memory:") : db,
                                 OpenMode::Create);
  if (!database)
    return fail(database.takeError());
  FailureOr<std::vector<TuneTask>> tasks = collectTasks(getOperation());
  if (failed(tasks))
    return failure();
  numTasks = tasks->size();
  if (tasks->empty()) {
    getOperation().emitWarning("pruner-tune: the module has no task to tune");
    return success();
  }
  auto costModel = createModel();
  if (failed(costModel))
    return failure();

  WorkerPoolOptions poolOptions;
  WorkerCommand local;
  local.program = workerProgram();
  local.addressSpaceBytes = uint64_t(16) << 30;
  auto command = parseRunner(runner, local);
  if (!command)
    return fail(command.takeError());
  poolOptions.builder = local;
  poolOptions.runner = std::move(*command);
  poolOptions.pinRunner = environment->threads == 1;
  WorkerPool pool(poolOptions);

  TunerOptions options;
  options.trials = trials;
  options.batch = batch;
  options.seed = seed;
  options.strategy = strategy;
  options.timeLimit = timeLimit;
  options.buildOnly = environment->machine.isGpu() && !hasDevice();
  double peak = environment->machine.isCpu() ? measureFmaPeak() : 0;
  Tuner tuner(*tasks, *environment, *database, costModel->get(), pool, options);
  auto finished = tuner.run();
  if (!finished)
    return fail(finished.takeError());
  if (peak > 0)
    peak = std::max(peak, measureFmaPeak());
  numTrials = tuner.newTrials();
  numFailed = tuner.failedTrials();
  if (options.buildOnly)
    printBuildReport(llvm::errs(), *tasks, tuner.outcomes(), tuner.times());
  else
    printReport(llvm::errs(), *tasks, *environment, tuner.outcomes(),
                tuner.times(), peak);
  if (!*finished)
    return fail("interrupted; the same command continues from the database");

  for (const TuneTask &task : *tasks) {
    auto record = bestRecord(*database, *environment, task,
                             /*unmeasured=*/environment->machine.isGpu());
    if (!record)
      return fail(record.takeError());
    if (!*record) {
      func::FuncOp function = task.function;
      emitRemark(function.getLoc())
          << "'" << function.getName()
          << "': no verified candidate is faster than the untuned default; the "
             "task is left as it was";
      continue;
    }
    if (failed(attachSchedule(task, (*record)->schedule)))
      return failure();
    ++numApplied;
  }
  return lower ? lowerScheduled(getOperation(), *environment) : success();
}
