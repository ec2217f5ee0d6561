//===- TunePass.cpp - pruner-tune -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApplyRecords.h"
#include "SimilarTasks.h"
#include "pruner/Support/NearestName.h"
#include "pruner/Tune/LocalWorkers.h"
#include "pruner/Tune/TuneHooks.h"
#include "pruner/Tune/Tuner.h"

#include "Interrupt.h"
#include "ModelOption.h"
#include "TargetSchedules.h"
#include "TargetTable.h"
#include "UntunedCode.h"

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Runtime/FmaPeak.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

namespace pruner {
#define GEN_PASS_DEF_TUNEPASS
#include "pruner/Tune/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Limit of the numbers of builders and of runners.
static constexpr unsigned kMostWorkers = 1024;
/// A round is proposed as a whole, whatever the number of trials.
static constexpr unsigned kMostBatch = 10000;
/// Measurements of the peak before a time that exceeds it is reported.
static constexpr int kPeakAttempts = 8;

namespace {
/// One target with its environment, model and tasks.
struct TargetRun {
  std::string name; ///< As given in the option.
  Environment environment;
  TuneModel model;
  std::vector<ModuleTask> tasks;
};

struct TunePass : public pruner::impl::TunePassBase<TunePass> {
  using TunePassBase::TunePassBase;
  explicit TunePass(TuneHooks hooks) : hooks(std::move(hooks)) {}

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override {
    if (failed(tune()))
      signalPassFailure();
  }

  // Emit at the location, because a diagnostic of the operation would print the
  // whole module.
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-tune: ") << message;
  }
  LogicalResult fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  LogicalResult checkOptions() {
    if (trials == 0)
      return fail("option 'trials' must be at least 1");
    if (batch == 0)
      return fail("option 'batch' must be at least 1");
    if (batch > kMostBatch)
      return fail("option 'batch' must be at most " +
                  std::to_string(kMostBatch));
    if (!(timeLimit >= 0))
      return fail("option 'time-limit' must not be negative");
    if (!(endVariation >= 0))
      return fail("option 'end-variation' must not be negative");
    if (endBatches < 2)
      return fail("option 'end-batches' must be at least 2");
    const SearchStrategy *chosen = findSearchStrategy(strategy);
    if (!similar.empty() && !(chosen && chosen->measuresKnown()))
      return fail("option 'similar' is not supported by the strategy '" +
                  strategy + "'; expected " +
                  strategyNames(" or ", &SearchStrategy::measuresKnown));
    if (!targets.empty() && target != "cpu")
      return fail("options 'target' and 'targets' are mutually exclusive");
    if (!targets.empty() && lower)
      return fail("option 'targets' needs lower=false, because a module can be "
                  "lowered for one target only");
    if (chosen)
      return success();
    return fail(
        "option 'strategy': '" + strategy + "' is unknown; expected one of " +
        strategyNames(", ") +
        didYouMean(strategy, searchStrategies(),
                   [](const SearchStrategy *each) { return each->name(); }));
  }

  /// Returns true if there is a CUDA device; prints the reason if not.
  bool hasDevice() {
    auto driver = CudaDriver::load();
    if (driver)
      return true;
    *hooks.log << "pruner-tune: no GPU: " << llvm::toString(driver.takeError())
               << "; nothing is measured: the analytical model ranks the "
                  "candidates, and the best are compiled\n";
    return false;
  }

  /// Removes the tasks that do not match the option 'only'.
  LogicalResult choose(std::vector<ModuleTask> &tasks) {
    if (only.empty())
      return success();
    llvm::Regex pattern(only);
    std::string problem;
    if (!pattern.isValid(problem))
      return fail("option 'only': " + problem);
    size_t before = tasks.size();
    llvm::erase_if(tasks, [&](const ModuleTask &task) {
      return !pattern.match(task.desc.name);
    });
    if (tasks.empty() && before != 0)
      return fail("option 'only': no task name matches '" + only + "'");
    return success();
  }

  /// Creates the environments of all targets.
  FailureOr<std::vector<TargetRun>> createTargetRuns();
  /// The commands of the options 'builder' and 'runner'.
  struct Commands {
    WorkerCommand building, running;
  };
  FailureOr<Commands> parseCommands(std::vector<TargetRun> &runs);
  /// Whether the module is lowered for CPUs, or for GPUs. Another compiler
  /// lowers its own code, and for a GPU only kernels are lowered.
  bool lowersFor(bool gpu, ArrayRef<TargetRun> runs);
  /// Extracts the tasks of the module, and checks that it can be lowered.
  FailureOr<std::vector<ModuleTask>> extractTasks(ArrayRef<TargetRun> runs);
  /// Finds what the runs need to know about their tasks.
  LogicalResult prepareRuns(std::vector<TargetRun> &runs,
                            ArrayRef<ModuleTask> tasks);
  LogicalResult createModels(std::vector<TargetRun> &runs);
  LogicalResult tune();
  /// Reads from the builder's greeting whether it is another compiler, and
  /// checks the options that this requires.
  LogicalResult greetBuilder(const WorkerCommand &building,
                             std::vector<TargetRun> &runs);
  /// Returns true if nothing can be run for `environment`: a GPU that is
  /// neither on this machine nor, according to its greeting, behind the
  /// runner's command.
  FailureOr<bool> onlyBuilds(const Environment &environment,
                             const WorkerCommand &command);
  LogicalResult tuneTarget(TargetRun &run, const Commands &commands,
                           Database &database, TargetTable &table);

  TuneHooks hooks;
};
} // namespace

void TunePass::getDependentDialects(DialectRegistry &registry) const {
  registerLibraryDialects(registry);
}

std::unique_ptr<mlir::Pass> pruner::createPrunerTuneWith(TuneHooks hooks) {
  return std::make_unique<TunePass>(std::move(hooks));
}

FailureOr<std::vector<TargetRun>> TunePass::createTargetRuns() {
  std::vector<TargetRun> runs;
  std::vector<std::string> names(targets.begin(), targets.end());
  if (names.empty())
    names.push_back(target);
  for (const std::string &name : names) {
    if (llvm::any_of(runs, [&](auto &run) { return run.name == name; }))
      return fail("option 'targets': duplicate target '" + name + "'");
    auto environment = Environment::create(name, threads);
    if (!environment)
      return fail(environment.takeError());
    runs.push_back({name, std::move(*environment), {}, {}});
  }
  return std::move(runs);
}

/// Whether the function calls tasks.
static bool callsTask(func::FuncOp network) {
  return network
      .walk([&](func::CallOp call) {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        return callee && callee->hasAttr(PrunerDialect::getTaskAttrName())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Checks the signatures of networks, which become functions of a library.
static LogicalResult checkInterfaces(ModuleOp module) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  for (auto network : module.getOps<func::FuncOp>())
    if (network.isPublic() && !network.isExternal() &&
        (llvm::any_of(network.getArgumentTypes(), isTensor) ||
         llvm::any_of(network.getResultTypes(), isTensor)) &&
        failed(checkInterface(
            network,
            /*dynamic=*/network->hasAttr(PrunerDialect::getPlanAttrName()) ||
                !callsTask(network))))
      return failure();
  return success();
}

FailureOr<TunePass::Commands>
TunePass::parseCommands(std::vector<TargetRun> &runs) {
  auto local = localWorker(worker);
  if (!local)
    return fail(local.takeError());
  auto command = parseRunner(runner, *local);
  if (!command)
    return fail("option 'runner': " + llvm::toString(command.takeError()));
  if (runners != 1 && command->exec.empty())
    return fail("option 'runners': several runners need "
                "'runner=exec:<command>'; there is only one local runner");
  if (runners == 0 || runners > kMostWorkers || builders > kMostWorkers)
    return fail(
        "options 'runners' and 'builders': expected at least one runner "
        "and at most " +
        std::to_string(kMostWorkers) + " of each");
  auto building = parseRunner(builder, *local, "builder");
  if (!building)
    return fail("option 'builder': " + llvm::toString(building.takeError()));
  if (builder != "local" && failed(greetBuilder(*building, runs)))
    return failure();
  return Commands{std::move(*building), std::move(*command)};
}

bool TunePass::lowersFor(bool gpu, ArrayRef<TargetRun> runs) {
  return lowerable && builder == "local" &&
         llvm::any_of(runs, [&](const TargetRun &run) {
           return run.environment.machine.isGpu() == gpu;
         });
}

FailureOr<std::vector<ModuleTask>>
TunePass::extractTasks(ArrayRef<TargetRun> runs) {
  if (lowersFor(/*gpu=*/false, runs) &&
      failed(checkLowerable(getOperation(), /*entry=*/"", /*whole=*/false)))
    return failure();
  TaskOptions extraction = {verboseRemarks, accuracy, {}};
  for (const TargetRun &run : runs)
    extraction.machines.push_back(run.environment.machine);
  // A module for several targets has no form of its own for each.
  if (runs.size() == 1 && runs.front().environment.builder.empty()) {
    extraction.joinProducts = joinProducts;
    extraction.measuresForms = true;
  }
  FailureOr<std::vector<ModuleTask>> tasks =
      collectTasks(getOperation(), extraction);
  if (failed(tasks) || failed(choose(*tasks)))
    return failure();
  // The signature is final only now: normalization stores arguments of four
  // bits as bytes.
  if (!tasks->empty() && lowersFor(/*gpu=*/false, runs) &&
      failed(checkInterfaces(getOperation())))
    return failure();
  auto functions = llvm::map_to_vector(
      *tasks, [](const ModuleTask &task) { return task.function; });
  if (lowersFor(/*gpu=*/true, runs) && failed(checkLowerableOnGpu(functions)))
    return failure();
  return tasks;
}

LogicalResult TunePass::prepareRuns(std::vector<TargetRun> &runs,
                                    ArrayRef<ModuleTask> tasks) {
  for (TargetRun &run : runs) {
    run.tasks = tasks.vec();
    if (llvm::Error error =
            findCacheStates(getOperation(), run.environment, caches, run.tasks))
      return fail(std::move(error));
    if (similar.empty())
      continue;
    if (llvm::Error error =
            findSimilar(similar, run.environment, run.tasks, *hooks.log))
      return fail("option 'similar': " + llvm::toString(std::move(error)));
  }
  return success();
}

LogicalResult TunePass::createModels(std::vector<TargetRun> &runs) {
  llvm::StringSet<> warnings; // Several targets may cause the same one.
  auto warnOnce = [&](const Twine &text) {
    if (warnings.insert(text.str()).second)
      emitWarning(getOperation().getLoc(), "pruner-tune: ") << text;
  };
  for (TargetRun &run : runs) {
    const Machine &machine = run.environment.machine;
    ModelOption asked;
    asked.strategy = strategy;
    asked.model = model;
    asked.weights = weights;
    asked.adapt = adapt;
    asked.device = modelDevice;
    asked.transferable = transferable;
    asked.seed = seed;
    asked.machine = machine.name;
    asked.forGpu = machine.isGpu();
    auto made = createTuneModel(asked, warnOnce);
    if (!made)
      return fail(made.takeError());
    if (endVariation > 0 && (!made->model || !made->learns))
      return fail("option 'end-variation' needs a model that learns");
    run.model = std::move(*made);
  }
  return success();
}

LogicalResult TunePass::tune() {
  FileSizeGuard fileSize;
  if (failed(checkOptions()))
    return failure();
  auto runs = createTargetRuns();
  if (failed(runs))
    return failure();
  auto commands = parseCommands(*runs);
  if (failed(commands))
    return failure();
  auto tasks = extractTasks(*runs);
  if (failed(tasks) || failed(prepareRuns(*runs, *tasks)))
    return failure();
  numTasks = tasks->size();
  if (tasks->empty()) {
    emitWarning(getOperation().getLoc(),
                "pruner-tune: the module has no task to tune");
    return success();
  }
  if (failed(createModels(*runs)))
    return failure();
  // Opened last, so that no database is created for a run that cannot start.
  DatabaseOptions keeping;
  keeping.keepStored = !db.empty();
  auto database = Database::open(db, OpenMode::Create, keeping);
  if (!database)
    return fail("option 'db': " + llvm::toString(database.takeError()));
  if (llvm::Error error = warnOfBadRows(*database, getOperation().getLoc()))
    return fail(std::move(error));

  TargetTable table(*tasks);
  TargetSchedules schedules;
  if (!targets.empty()) // Drop schedules that the functions already have.
    TargetSchedules().take("", *tasks);
  for (TargetRun &run : *runs) {
    if (!targets.empty())
      *hooks.log << "target " << run.name << "\n";
    if (failed(tuneTarget(run, *commands, *database, table)))
      return failure();
    if (!targets.empty())
      schedules.take(run.name, run.tasks);
  }
  if (llvm::Error error = database->checkPlace())
    return fail(std::move(error));
  if (targets.empty())
    return lower ? lowerScheduled(getOperation(), runs->front().environment)
                 : success();
  schedules.attachTo(*tasks);
  table.print(*hooks.log);
  return success();
}

LogicalResult TunePass::greetBuilder(const WorkerCommand &building,
                                     std::vector<TargetRun> &runs) {
  auto name = queryBuilderName(building, runs.front().environment);
  if (!name)
    return fail("option 'builder': " + llvm::toString(name.takeError()));
  if (name->empty()) // This code generator, perhaps on another machine.
    return success();
  if (lower || runner == "local" || caches != "warm")
    return fail("option 'builder': another compiler (" + *name +
                ") needs 'runner=exec:<command>', 'caches=warm' and "
                "'lower=false'");
  if (runs.size() > 1)
    return fail("option 'builder': another compiler (" + *name +
                ") supports one target only");
  runs.front().environment.builder = std::move(*name);
  return success();
}

FailureOr<bool> TunePass::onlyBuilds(const Environment &environment,
                                     const WorkerCommand &command) {
  if (!environment.machine.isGpu())
    return false;
  if (!command.exec.empty()) {
    auto there = isOnMachine(command, environment);
    if (!there)
      return fail("option 'runner': " + llvm::toString(there.takeError()));
    if (*there)
      return false;
  }
  return !hasDevice();
}

LogicalResult TunePass::tuneTarget(TargetRun &run, const Commands &commands,
                                   Database &database, TargetTable &table) {
  const Environment &environment = run.environment;
  std::vector<ModuleTask> &tasks = run.tasks;
  FailureOr<bool> buildOnly = onlyBuilds(environment, commands.running);
  if (failed(buildOnly))
    return failure();
  WorkerPoolOptions workers =
      poolOptions(environment, commands.building, commands.running);
  workers.runners = runners;
  if (builders > 0)
    workers.builders = builders;
  WorkerPool pool(std::move(workers));

  TunerOptions options;
  options.trials = trials;
  options.batch = batch;
  options.seed = seed;
  options.strategy = findSearchStrategy(strategy);
  options.trialsPerTask = trialsPerTask;
  options.timeLimit = timeLimit;
  options.compareFinalists = finals;
  options.weights = run.model.weights;
  options.hooks = hooks;
  options.adaptation = run.model.adaptation;
  options.learns = run.model.learns;
  options.certainty = {endVariation, endBatches};
  options.accuracy = accuracyOf(getOperation());
  // A command may run on another machine.
  options.network = network && runner == "local";
  options.chooseForms = targets.empty();
  options.buildOnly = *buildOnly;
  options.emulate = runner == "local" ? emulate : 0;
  double peak = environment.machine.isCpu() ? measureFmaPeak() : 0;
  Tuner tuner(tasks, environment, database, run.model.model.get(), pool,
              options);
  auto finished = tuner.run();
  // Save all measurements even if the run failed.
  if (finished || !database.isRescued())
    if (llvm::Error error = database.checkPlace())
      return fail(llvm::joinErrors(finished.takeError(), std::move(error)));
  if (!finished)
    return fail(finished.takeError());
  // Other work on the machine lowers a measured peak, never raises it.
  if (peak > 0)
    peak = std::max(peak, measureFmaPeak());
  for (int attempt = 0;
       attempt < kPeakAttempts &&
       exceedsPeak(tasks, tuner.outcomes(), peak * environment.threads);
       ++attempt)
    peak = std::max(peak, measureFmaPeak());
  numTrials += tuner.newTrials();
  numFailed += tuner.failedTrials();
  if (options.buildOnly)
    printBuildReport(*hooks.log, tasks, tuner.outcomes(), tuner.times());
  else
    printReport(*hooks.log, tasks, environment, tuner.outcomes(),
                tuner.network(), tuner.times(), peak);
  table.add(run.name, tuner.outcomes(), options.buildOnly);
  if (failed(checkUntunedCode(environment, tasks, tuner.outcomes())))
    return failure();
  if (!*finished)
    return db.empty()
               ? fail("interrupted; all measurements are lost, because no "
                      "database is given (option 'db')")
               : fail("interrupted; the same command continues from the "
                      "database");

  ApplyOptions apply;
  apply.unmeasured = environment.machine.isGpu();
  apply.what = "candidate";
  apply.pass = "pruner-tune";
  apply.verboseRemarks = verboseRemarks;
  apply.chooseForms = targets.empty();
  auto poolIfAny = [&] { return options.buildOnly ? nullptr : &pool; };
  auto store = [&] { return &database; };
  apply.workers = poolIfAny;
  apply.store = store;
  FailureOr<unsigned> applied = applyBestRecords(
      database, environment, tasks, apply,
      [&](llvm::Error error) { return fail(std::move(error)); });
  if (failed(applied))
    return failure();
  numApplied += *applied;
  return success();
}
