//===- PredictLatency.cpp - pruner-predict-latency ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkGraph.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Replay.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/ShippedWeights.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/NetworkLatency/Passes.h"
#include "pruner/Record/Choice.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/Table.h"
#include "pruner/TaskRecords/TaskRecords.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

namespace pruner {
#define GEN_PASS_DEF_PREDICTLATENCYPASS
#include "pruner/NetworkLatency/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

namespace {
/// A task with its schedule.
struct PredictedTask {
  std::optional<double> seconds; ///< Empty if there is no schedule.
  const char *origin = "";       ///< Where the schedule is from.
};

/// A network and its replay.
struct Timeline {
  func::FuncOp network;
  NetworkGraph graph;
  std::vector<ReplayNode> nodes;
  ReplayResult result;
};

class Predictor {
public:
  Predictor(ModuleOp module, const PredictLatencyPassOptions &options)
      : module(module), options(options) {}

  LogicalResult run();

  unsigned numTasks = 0, numNetworks = 0;

private:
  LogicalResult fail(const Twine &message) {
    return emitError(module.getLoc(), "pruner-predict-latency: ") << message;
  }
  LogicalResult open();
  LogicalResult loadModel();
  /// Keeps the analytical model if no weights are shipped for the machine.
  void loadShippedModel();
  /// Returns the schedule of a task, if any; `origin` is where it comes from.
  FailureOr<std::optional<Schedule>> scheduleOf(const ModuleTask &task,
                                                const char *&origin);
  std::optional<double> secondsOf(const ModuleTask &task,
                                  const Schedule &schedule);
  LogicalResult predict(const ModuleTask &task);
  LogicalResult replay(func::FuncOp network, Timeline &timeline);
  void report(const Timeline &timeline);
  llvm::Error writeTrace(llvm::ArrayRef<Timeline> timelines);

  ModuleOp module;
  const PredictLatencyPassOptions &options;
  std::optional<Environment> environment;
  std::unique_ptr<CostModel> model; ///< Null: the analytical model.
  std::optional<Database> database;
  llvm::DenseMap<Operation *, PredictedTask> predicted;
};
} // namespace

void Predictor::loadShippedModel() {
  const Machine &machine = environment->machine;
  auto warn = [&](const std::string &why) {
    emitWarning(module.getLoc(), "pruner-predict-latency: the analytical model "
                                 "predicts instead of the shipped weights: ")
        << why;
  };
  if (!machine.isGpu())
    return;
  ShippedWeights shipped = shippedWeights("gpu-latency", machine.name);
  // Some packages leave the file out.
  if (shipped.missing)
    return;
  if (!shipped.error.empty())
    return warn(shipped.error);
  if (!shipped.file)
    return;
  LoadedModel loaded = loadCostModel(shipped.file->path);
  if (!loaded.model)
    return warn(loaded.error);
  if (!loaded.model->latency())
    return warn("'" + shipped.file->path + "' does not predict seconds");
  for (const std::string &warning : loaded.warnings)
    emitWarning(module.getLoc(), warning);
  model = std::move(loaded.model);
}

LogicalResult Predictor::loadModel() {
  if (options.weights == "none")
    return success();
  if (options.weights == "auto") {
    loadShippedModel();
    return success();
  }
  LoadedModel loaded = loadCostModel(options.weights);
  for (const std::string &warning : loaded.warnings)
    emitWarning(module.getLoc(), warning);
  if (!loaded.model)
    return fail("option 'weights': " + loaded.error);
  model = std::move(loaded.model);
  if (!model->latency())
    return fail("option 'weights': '" + options.weights +
                "' is of the model '" + model->name() +
                "', which ranks schedules but does not predict seconds");
  return success();
}

FailureOr<std::optional<Schedule>> Predictor::scheduleOf(const ModuleTask &task,
                                                         const char *&origin) {
  func::FuncOp function = task.function;
  const Machine &machine = environment->machine;
  if (auto attr = function->getAttrOfType<ScheduleAttr>(
          PrunerDialect::getScheduleAttrName())) {
    origin = "its schedule";
    if (MaybeViolation broken =
            checkSchedule(task.desc, attr.getValue(), machine))
      return function.emitError("the schedule breaks rule ")
             << broken->rule << " on " << machine.name << ": "
             << broken->message;
    return std::optional(attr.getValue());
  }
  if (database) {
    auto records = readTaskRecords(*database, *environment, task);
    if (!records)
      return fail("option 'db': " + llvm::toString(records.takeError()));
    // Nothing is run, so records of other builds are as good as any.
    for (auto *list :
         {&records->current, &records->otherCacheStates, &records->older})
      if (std::optional<Record> record = chooseRecord(*list).record) {
        auto attr = dyn_cast_or_null<ScheduleAttr>(
            parseScheduleText(record->schedule, function->getContext()));
        if (attr && !checkSchedule(task.desc, attr.getValue(), machine)) {
          origin = "the best recorded schedule";
          return std::optional(attr.getValue());
        }
      }
  }
  origin = "the default schedule";
  return ScheduleSpace(task.desc, machine).defaultSchedule();
}

std::optional<double> Predictor::secondsOf(const ModuleTask &task,
                                           const Schedule &schedule) {
  PsaOptions psa = psaOptions(*environment, task);
  if (!model)
    return psaSeconds(
        summarize(task.desc, buildTiledProgram(task.desc, schedule)),
        environment->machine, psa);
  ScheduleFeatures features(task.desc, environment->machine, model->reads(), {},
                            psa);
  double seconds =
      model->latency()->predictSeconds({features(schedule)}).front();
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

LogicalResult Predictor::predict(const ModuleTask &task) {
  func::FuncOp function = task.function;
  PredictedTask result;
  FailureOr<std::optional<Schedule>> schedule = scheduleOf(task, result.origin);
  if (failed(schedule))
    return failure();
  if (*schedule) {
    result.seconds = secondsOf(task, **schedule);
    if (!result.seconds)
      return function.emitError("the model has no prediction for '")
             << task.desc.name
             << "': " << (model ? model->lastError() : "no time");
  }
  ++numTasks;
  predicted[function] = result;
  return success();
}

LogicalResult Predictor::replay(func::FuncOp network, Timeline &timeline) {
  if (!network.getBody().hasOneBlock())
    return network.emitError("pruner-predict-latency: the network has more "
                             "than one block; branches are not replayed");
  timeline.network = network;
  timeline.graph = networkGraph(network);
  for (const NetworkNode &node : timeline.graph.nodes) {
    ReplayNode &out = timeline.nodes.emplace_back();
    out.after = node.after;
    if (!node.task) {
      out.seconds = double(node.bytes) / environment->machine.memoryBandwidth;
      continue;
    }
    func::FuncOp task = node.task;
    const PredictedTask &known = predicted[task];
    if (!known.seconds) {
      timeline.graph.unknown.emplace_back(
          node.op, "its task has no schedule for this machine");
      continue;
    }
    out.seconds = *known.seconds;
    out.gap = options.gap * 1e-6;
  }
  auto replayed = replayGraph(timeline.nodes, options.queues);
  if (!replayed)
    return fail(llvm::toString(replayed.takeError()));
  timeline.result = std::move(*replayed);
  return success();
}

void Predictor::report(const Timeline &timeline) {
  double inTasks = 0, outside = 0;
  unsigned calls = 0, others = 0;
  for (auto [node, timed, at] : llvm::zip_equal(
           timeline.graph.nodes, timeline.nodes, timeline.result.nodes)) {
    bool isCall = bool(node.task);
    (isCall ? inTasks : outside) += timed.seconds;
    ++(isCall ? calls : others);
    if (isCall && timed.seconds == 0)
      continue;
    func::FuncOp task = node.task;
    InFlightDiagnostic remark = emitRemark(node.op->getLoc());
    remark << (isCall ? task.getName() : node.op->getName().getStringRef())
           << ": " << formatSeconds(timed.seconds) << " from "
           << formatSeconds(at.start);
    if (options.queues > 1)
      remark << " in queue " << at.device;
    remark << ", by "
           << (isCall ? predicted[task].origin
                      : "its bytes and the memory's bandwidth");
  }
  for (auto &[op, why] : timeline.graph.unknown)
    emitRemark(op->getLoc())
        << "'" << op->getName().getStringRef() << "' is not counted: " << why;
  func::FuncOp network = timeline.network;
  InFlightDiagnostic total = emitRemark(network.getLoc());
  total << "'" << network.getName() << "' takes "
        << formatSeconds(timeline.result.seconds) << " on "
        << environment->machine.name << " by the model '"
        << (model ? model->name() : "psa") << "': " << calls
        << " calls of tasks " << formatSeconds(inTasks) << ", " << others
        << " operations outside " << formatSeconds(outside);
  if (!timeline.graph.unknown.empty())
    total << ", " << unsigned(timeline.graph.unknown.size()) << " not counted";
}

/// Writes Chrome's trace format, with one process for each network and one
/// thread for each queue.
llvm::Error Predictor::writeTrace(llvm::ArrayRef<Timeline> timelines) {
  llvm::json::Array events;
  for (auto [process, timeline] : llvm::enumerate(timelines)) {
    func::FuncOp network = timeline.network;
    events.push_back(llvm::json::Object{
        {"name", "process_name"},
        {"ph", "M"},
        {"pid", int64_t(process)},
        {"args", llvm::json::Object{{"name", network.getName()}}}});
    for (auto [node, timed, at] : llvm::zip_equal(
             timeline.graph.nodes, timeline.nodes, timeline.result.nodes)) {
      func::FuncOp task = node.task;
      llvm::json::Object arguments;
      if (task)
        arguments["by"] = predicted[task].origin;
      else
        arguments["bytes"] = node.bytes;
      events.push_back(llvm::json::Object{
          {"name", task ? task.getName() : node.op->getName().getStringRef()},
          {"cat", task ? "task" : "outside"},
          {"ph", "X"},
          {"ts", at.start * 1e6},
          {"dur", timed.seconds * 1e6},
          {"pid", int64_t(process)},
          {"tid", int64_t(at.device)},
          {"args", std::move(arguments)}});
    }
  }
  llvm::json::Object file{{"displayTimeUnit", "ms"},
                          {"traceEvents", std::move(events)}};
  llvm::Error error =
      writeOutputFile(options.trace, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}", llvm::json::Value(std::move(file)))
           << '\n';
        return llvm::Error::success();
      });
  return error
             ? llvm::createStringError("'" + options.trace +
                                       "': " + llvm::toString(std::move(error)))
             : llvm::Error::success();
}

LogicalResult Predictor::open() {
  if (options.queues < 1)
    return fail("option 'queues' must be at least 1");
  if (!(options.gap >= 0) || !std::isfinite(options.gap))
    return fail("option 'gap' must not be negative");
  auto made = Environment::create(options.target, options.threads);
  if (!made)
    return fail(llvm::toString(made.takeError()));
  environment = std::move(*made);
  if (!(environment->machine.memoryBandwidth > 0))
    return fail(
        "option 'target': the memory bandwidth of the machine is unknown");
  if (!options.db.empty()) {
    auto opened = Database::open(options.db, OpenMode::ReadOnly);
    if (!opened)
      return fail("option 'db': " + llvm::toString(opened.takeError()));
    database.emplace(std::move(*opened));
  }
  return loadModel();
}

LogicalResult Predictor::run() {
  if (failed(open()))
    return failure();
  FailureOr<std::vector<ModuleTask>> tasks =
      collectTasks(module, {false, "", {environment->machine}});
  if (failed(tasks))
    return failure();
  if (llvm::Error error =
          findCacheStates(module, *environment, "network", *tasks))
    return fail(llvm::toString(std::move(error)));
  for (const ModuleTask &task : *tasks)
    if (failed(predict(task)))
      return failure();
  std::vector<Timeline> timelines;
  for (auto network : module.getOps<func::FuncOp>()) {
    if (network.isExternal() || !network.isPublic() ||
        network->hasAttr(PrunerDialect::getTaskAttrName()))
      continue;
    if (failed(replay(network, timelines.emplace_back())))
      return failure();
    ++numNetworks;
    report(timelines.back());
  }
  if (!options.trace.empty())
    if (llvm::Error error = writeTrace(timelines))
      return fail("option 'trace': " + llvm::toString(std::move(error)));
  return success();
}

namespace {
struct PredictLatency
    : public pruner::impl::PredictLatencyPassBase<PredictLatency> {
  using PredictLatencyPassBase::PredictLatencyPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<PrunerDialect, func::FuncDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }
  void runOnOperation() override {
    PredictLatencyPassOptions options;
    options.weights = weights;
    options.target = target;
    options.threads = threads;
    options.db = db;
    options.queues = queues;
    options.gap = gap;
    options.trace = trace;
    Predictor predictor(getOperation(), options);
    if (failed(predictor.run()))
      signalPassFailure();
    numTasks += predictor.numTasks;
    numNetworks += predictor.numNetworks;
  }
};
} // namespace
