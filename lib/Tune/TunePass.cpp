//===- TunePass.cpp - pruner-tune -----------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/ApplyRecords.h"
#include "pruner/Tune/LocalWorkers.h"
#include "pruner/Tune/SimilarTasks.h"
#include "pruner/Tune/TuneHooks.h"
#include "pruner/Tune/Tuner.h"

#include "Interrupt.h"
#include "ModelOption.h"
#include "TargetSchedules.h"
#include "TargetTable.h"

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Runtime/FmaPeak.h"

#include "llvm/Support/Regex.h"

namespace pruner {
#define GEN_PASS_DEF_PRUNERTUNE
#include "pruner/Tune/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Of builders, and of runners.
static constexpr unsigned kMostWorkers = 1024;

namespace {
/// A target with what it needs of its own.
struct Place {
  std::string name; ///< As the option spells it.
  Environment environment;
  TuneModel model;
  std::vector<TuneTask> tasks;
};

struct PrunerTune : public pruner::impl::PrunerTuneBase<PrunerTune> {
  using PrunerTuneBase::PrunerTuneBase;
  explicit PrunerTune(TuneHooks hooks) : hooks(std::move(hooks)) {}

  void getDependentDialects(DialectRegistry &registry) const override;
  void runOnOperation() override {
    if (failed(tune()))
      signalPassFailure();
  }

  // At the location: a diagnostic of the operation would print the model.
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
    if (!(timeLimit >= 0))
      return fail("option 'time-limit' must not be negative");
    if (!(endVariation >= 0))
      return fail("option 'end-variation' must not be negative");
    if (endBatches < 2)
      return fail("option 'end-batches' must be at least 2");
    if (!similar.empty() && strategy != "draft-verify" &&
        strategy != "draft-only")
      return fail("option 'similar': the strategy '" + strategy +
                  "' measures what its name says and nothing else");
    if (!targets.empty() && target != "cpu")
      return fail("the options 'target' and 'targets' exclude each other");
    if (!targets.empty() && lower)
      return fail("a module is lowered for one target; the option 'targets' "
                  "needs lower=false");
    if (llvm::is_contained(searchStrategyNames(), llvm::StringRef(strategy)))
      return success();
    std::string names;
    for (llvm::StringRef name : searchStrategyNames())
      names += (names.empty() ? "'" : ", '") + name.str() + "'";
    return fail("option 'strategy': '" + strategy +
                "' is unknown; expected one of " + names);
  }

  /// Whether a CUDA device is here; says why not.
  bool hasDevice() {
    auto driver = CudaDriver::load();
    if (driver)
      return true;
    *hooks.log << "pruner-tune: no GPU: " << llvm::toString(driver.takeError())
               << "; nothing is measured, the draft model ranks and the best "
                  "candidates are compiled\n";
    return false;
  }

  /// Leaves out the tasks that are not asked for.
  LogicalResult choose(std::vector<TuneTask> &tasks) {
    if (only.empty())
      return success();
    llvm::Regex pattern(only);
    std::string problem;
    if (!pattern.isValid(problem))
      return fail("option 'only': " + problem);
    size_t before = tasks.size();
    llvm::erase_if(tasks, [&](const TuneTask &task) {
      return !pattern.match(task.desc.name);
    });
    if (tasks.empty() && before != 0)
      return fail("option 'only': no task's name has a match of '" + only +
                  "'");
    return success();
  }

  /// The targets that are asked for.
  FailureOr<std::vector<Place>> findPlaces();
  LogicalResult tune();
  /// Learns from its greeting whether `building` is another compiler, and what
  /// follows from that.
  LogicalResult greetBuilder(const WorkerCommand &building,
                             std::vector<Place> &places);
  /// Whether nothing can be run for `environment`: a GPU that neither is here
  /// nor, by its own word, behind the runner's command.
  FailureOr<bool> onlyBuilds(const Environment &environment,
                             const WorkerCommand &command);
  LogicalResult tuneFor(Place &place, WorkerCommand building,
                        WorkerCommand command, Database &database,
                        TargetTable &table);
  /// Fails where the untuned code of a task is wrong or cannot be compiled.
  /// Libraries run it, so that is an error of this compiler, whether or not a
  /// schedule was found. Warns where it crashed.
  LogicalResult checkDefaults(const Environment &environment,
                              ArrayRef<TuneTask> tasks,
                              ArrayRef<TaskOutcome> outcomes);

  TuneHooks hooks;
};
} // namespace

void PrunerTune::getDependentDialects(DialectRegistry &registry) const {
  registerLibraryDialects(registry);
}

std::unique_ptr<mlir::Pass> pruner::createPrunerTuneWith(TuneHooks hooks) {
  return std::make_unique<PrunerTune>(std::move(hooks));
}

FailureOr<std::vector<Place>> PrunerTune::findPlaces() {
  std::vector<Place> places;
  std::vector<std::string> names(targets.begin(), targets.end());
  if (names.empty())
    names.push_back(target);
  for (const std::string &name : names) {
    if (llvm::any_of(places, [&](auto &place) { return place.name == name; }))
      return fail("option 'targets': '" + name + "' is there twice");
    auto environment = Environment::create(name, threads);
    if (!environment)
      return fail(environment.takeError());
    places.push_back({name, std::move(*environment), {}, {}});
  }
  return std::move(places);
}

LogicalResult PrunerTune::tune() {
  FileSizeGuard fileSize;
  if (failed(checkOptions()))
    return failure();
  auto places = findPlaces();
  if (failed(places))
    return failure();
  auto local = localWorker(worker);
  if (!local)
    return fail(local.takeError());
  auto command = parseRunner(runner, *local);
  if (!command)
    return fail("option 'runner': " + llvm::toString(command.takeError()));
  if (runners != 1 && command->exec.empty())
    return fail("option 'runners': a local runner has this machine to itself; "
                "several are for 'exec:<command>'");
  if (runners == 0 || runners > kMostWorkers || builders > kMostWorkers)
    return fail("options 'runners' and 'builders': expected at most " +
                std::to_string(kMostWorkers) + ", and one runner at least");
  auto building = parseRunner(builder, *local, "builder");
  if (!building)
    return fail("option 'builder': " + llvm::toString(building.takeError()));
  if (builder != "local" && failed(greetBuilder(*building, *places)))
    return failure();
  // What a GPU or another compiler is tuned for is not lowered here.
  auto isOurs = [&](const Place &place) {
    return place.environment.machine.isCpu() && builder == "local";
  };
  if (lowerable && llvm::any_of(*places, isOurs) &&
      failed(checkLowerable(getOperation(), /*entry=*/"", /*whole=*/false)))
    return failure();
  FailureOr<std::vector<TuneTask>> tasks =
      collectTasks(getOperation(), verboseRemarks);
  if (failed(tasks) || failed(choose(*tasks)))
    return failure();
  for (Place &place : *places) {
    place.tasks = *tasks;
    if (llvm::Error error = findCacheStates(getOperation(), place.environment,
                                            caches, place.tasks))
      return fail(std::move(error));
    if (similar.empty())
      continue;
    if (llvm::Error error =
            findSimilar(similar, place.environment, place.tasks, *hooks.log))
      return fail("option 'similar': " + llvm::toString(std::move(error)));
  }
  numTasks = tasks->size();
  if (tasks->empty()) {
    emitWarning(getOperation().getLoc(),
                "pruner-tune: the module has no task to tune");
    return success();
  }
  for (Place &place : *places) {
    const Machine &machine = place.environment.machine;
    auto made =
        createTuneModel({strategy, model, weights, adapt, modelDevice,
                         transferable, seed, machine.name, machine.isGpu()},
                        *hooks.log);
    if (!made)
      return fail(made.takeError());
    if (endVariation > 0 && (!made->model || !made->learns))
      return fail("option 'end-variation' needs a model that learns");
    place.model = std::move(*made);
  }
  // Last, so that what cannot be tuned leaves no database behind.
  DatabaseOptions keeping;
  keeping.keepStored = !db.empty();
  auto database = Database::open(db.empty() ? std::string(":memory:") : db,
                                 OpenMode::Create, keeping);
  if (!database)
    return fail("option 'db': " + llvm::toString(database.takeError()));
  if (llvm::Error error = warnOfBadRows(*database, getOperation().getLoc()))
    return fail(std::move(error));

  TargetTable table(*tasks);
  TargetSchedules schedules;
  if (!targets.empty()) // What functions have already is nobody's.
    TargetSchedules().take("", *tasks);
  for (Place &place : *places) {
    if (!targets.empty())
      *hooks.log << "target " << place.name << "\n";
    if (failed(tuneFor(place, *building, *command, *database, table)))
      return failure();
    if (!targets.empty())
      schedules.take(place.name, place.tasks);
  }
  if (llvm::Error error = database->checkPlace())
    return fail(std::move(error));
  if (targets.empty())
    return lower ? lowerScheduled(getOperation(), places->front().environment)
                 : success();
  schedules.attachTo(*tasks);
  table.print(*hooks.log);
  return success();
}

LogicalResult PrunerTune::greetBuilder(const WorkerCommand &building,
                                       std::vector<Place> &places) {
  auto name = nameOfBuilder(building, places.front().environment);
  if (!name)
    return fail("option 'builder': " + llvm::toString(name.takeError()));
  if (name->empty()) // This code generator, on another machine perhaps.
    return success();
  if (lower || runner == "local" || caches != "warm")
    return fail("option 'builder': what another compiler (" + *name +
                ") builds needs a 'runner' of its own, 'caches=warm' and "
                "'lower=false'");
  if (places.size() > 1)
    return fail("option 'builder': another compiler (" + *name +
                ") is for one target");
  places.front().environment.builder = std::move(*name);
  return success();
}

FailureOr<bool> PrunerTune::onlyBuilds(const Environment &environment,
                                       const WorkerCommand &command) {
  if (!environment.machine.isGpu())
    return false;
  if (!command.exec.empty()) {
    auto there = saysItIsThere(command, environment);
    if (!there)
      return fail("option 'runner': " + llvm::toString(there.takeError()));
    if (*there)
      return false;
  }
  return !hasDevice();
}

/// What is wrong with code whose measurement ended so; empty if nothing is, or
/// if that is not the code's doing.
static llvm::StringRef wordsFor(std::optional<MeasureStatus> status) {
  if (!status)
    return "";
  switch (*status) {
  case MeasureStatus::WrongResult:
    return "computes a wrong result";
  case MeasureStatus::BuildError:
  case MeasureStatus::BuildCrash:
    return "cannot be compiled";
  case MeasureStatus::RunCrash:
    return "crashes";
  default:
    return "";
  }
}

LogicalResult PrunerTune::checkDefaults(const Environment &environment,
                                        ArrayRef<TuneTask> tasks,
                                        ArrayRef<TaskOutcome> outcomes) {
  if (!environment.builder.empty()) // Another compiler's code.
    return success();
  bool isRight = true;
  for (auto [task, outcome] : llvm::zip_equal(tasks, outcomes)) {
    llvm::StringRef what = wordsFor(outcome.defaultStatus);
    if (what.empty())
      continue;
    mlir::func::FuncOp function = task.function;
    // A worker may end, or a runner answer nonsense, for reasons of its own.
    if (outcome.defaultStatus == MeasureStatus::RunCrash) {
      function.emitWarning("the untuned code of task @")
          << task.desc.name << " " << what << ": " << outcome.defaultReason;
      continue;
    }
    isRight = false;
    function.emitError("the untuned code of task @")
        << task.desc.name << " " << what << ": " << outcome.defaultReason
        << "; this is an error of the compiler. What was measured is in the "
           "database";
  }
  return success(isRight);
}

LogicalResult PrunerTune::tuneFor(Place &place, WorkerCommand building,
                                  WorkerCommand command, Database &database,
                                  TargetTable &table) {
  const Environment &environment = place.environment;
  std::vector<TuneTask> &tasks = place.tasks;
  FailureOr<bool> buildOnly = onlyBuilds(environment, command);
  if (failed(buildOnly))
    return failure();
  WorkerPoolOptions workers =
      poolOptions(environment, std::move(building), std::move(command));
  workers.runners = runners;
  if (builders > 0)
    workers.builders = builders;
  WorkerPool pool(std::move(workers));

  TunerOptions options;
  options.trials = trials;
  options.batch = batch;
  options.seed = seed;
  options.strategy = strategy;
  options.trialsPerTask = trialsPerTask;
  options.timeLimit = timeLimit;
  options.finals = finals;
  options.weights = place.model.weights;
  options.hooks = hooks;
  options.adaptation = place.model.adaptation;
  options.learns = place.model.learns;
  options.certainty = {endVariation, endBatches};
  // On the other side of a command may be another machine.
  options.network = network && runner == "local";
  options.buildOnly = *buildOnly;
  double peak = environment.machine.isCpu() ? measureFmaPeak() : 0;
  Tuner tuner(tasks, environment, database, place.model.model.get(), pool,
              options);
  auto finished = tuner.run();
  // Whatever else happened, nothing that was measured may be lost.
  if (finished || !database.isRescued())
    if (llvm::Error error = database.checkPlace())
      return fail(llvm::joinErrors(finished.takeError(), std::move(error)));
  if (!finished)
    return fail(finished.takeError());
  if (peak > 0)
    peak = std::max(peak, measureFmaPeak());
  numTrials += tuner.newTrials();
  numFailed += tuner.failedTrials();
  if (options.buildOnly)
    printBuildReport(*hooks.log, tasks, tuner.outcomes(), tuner.times());
  else
    printReport(*hooks.log, tasks, environment, tuner.outcomes(),
                tuner.network(), tuner.times(), peak);
  table.add(place.name, tuner.outcomes(), options.buildOnly);
  if (failed(checkDefaults(environment, tasks, tuner.outcomes())))
    return failure();
  if (!*finished)
    return db.empty()
               ? fail("interrupted; without a database (option 'db') nothing "
                      "of this run is kept")
               : fail("interrupted; the same command continues from the "
                      "database");

  ApplyOptions apply;
  apply.unmeasured = environment.machine.isGpu();
  apply.what = "candidate";
  apply.pass = "pruner-tune";
  apply.verboseRemarks = verboseRemarks;
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
