//===- CollectTasks.cpp - collect the tasks of a module -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/ReuseDistance.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/IR/WholeText.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/ModuleTasks/RemarkGroups.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Recognition/TaskText.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pruner;

static bool isTask(func::FuncOp function) {
  return function->hasAttr(PrunerDialect::getTaskAttrName()) &&
         !function.isExternal();
}

static bool hasTask(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), isTask);
}

/// Works on a copy, so that a module without a task stays unchanged.
static LogicalResult extractTasks(ModuleOp module, const TaskOptions &options) {
  RemarkCollector remarks(module.getContext(), options.verboseRemarks);
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(module.getContext());
  std::vector<Machine> machines = options.machines;
  if (machines.empty()) {
    llvm::Expected<Machine> host = parseTarget("cpu");
    if (!host)
      return emitError(module.getLoc(), llvm::toString(host.takeError()));
    machines.push_back(std::move(*host));
  }
  ExtractTasksPassOptions extraction;
  bool onCpus =
      llvm::all_of(machines, [](const Machine &m) { return m.isCpu(); });
  if (onCpus)
    extraction.joinProducts = options.joinProducts;
  int64_t cacheBytes = 0;
  for (const Machine &machine : machines)
    cacheBytes = std::max(cacheBytes, machine.l2Bytes);
  if (cacheBytes > 0)
    extraction.cacheBytes = cacheBytes;
  buildNormalizePipeline(passes);
  if (!options.accuracy.empty() || module->hasAttr(kAccuracyAttr))
    buildRelaxAccuracyPipeline(passes, options.accuracy, machines,
                               onCpus && options.measuresForms);
  passes.addPass(createMoveChannelsLastPass(std::move(machines)));
  // The copies between both orders are tasks, too. The channels of pixels with
  // few channels may be the last dimension only now.
  passes.nest<func::FuncOp>().addPass(createGeneralizeNamedOpsPass());
  passes.nest<func::FuncOp>().addPass(createFlattenWindowsPass());
  passes.nest<func::FuncOp>().addPass(createSimplifyModelPass());
  passes.addPass(createExtractTasksPass(extraction));
  if (failed(passes.run(*copy)))
    return failure();
  if (hasTask(*copy)) {
    module->setAttrs((*copy)->getAttrDictionary());
    module.getBodyRegion().takeBody(copy->getBodyRegion());
  }
  return success();
}

/// Returns the text of a module with this function alone, which states the
/// accuracy of the whole module. The function is public and has none of the
/// tuner's attributes.
static std::string moduleText(func::FuncOp function) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  copy.setPublic();
  if (Attribute accuracy = function->getParentOp()->getAttr(kAccuracyAttr))
    (*module)->setAttr(kAccuracyAttr, accuracy);
  for (llvm::StringRef told :
       {PrunerDialect::getTaskAttrName(), PrunerDialect::getScheduleAttrName(),
        PrunerDialect::getSchedulesAttrName(),
        PrunerDialect::getSecondsAttrName()})
    copy->removeAttr(told);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, wholeText());
  return text;
}

/// Returns the task attribute with the key of the current content. With a stale
/// key, records of one program would be applied to another.
static TaskInfo currentInfo(func::FuncOp function, const TaskDesc &desc) {
  TaskInfo info = TaskInfo::of(function);
  std::string key = taskKey(function);
  if (info.key == key)
    return info;
  emitWarning(function.getLoc())
      << "the task was changed after it was extracted: its key is " << key
      << ", not " << info.key;
  info = {key, info.weight, int64_t(desc.flops()), int64_t(desc.bytes())};
  info.attachTo(function);
  return info;
}

std::string pruner::accuracyOf(ModuleOp module) {
  auto names = module->getAttrOfType<ArrayAttr>(kAccuracyAttr);
  if (!names)
    return "";
  return llvm::join(names.getAsValueRange<StringAttr>(), ",");
}

/// Fails if tasks were extracted without a relaxation that `accuracy` names.
static LogicalResult checkAccuracy(ModuleOp module, llvm::StringRef accuracy) {
  OwningOpRef<ModuleOp> asked = ModuleOp::create(module.getLoc());
  FailureOr<std::vector<std::string>> allowed = allowedRelaxations(module);
  if (failed(allowed) ||
      failed(allowRelaxations(*asked, splitAccuracy(accuracy))))
    return failure();
  for (const std::string &name : splitAccuracy(accuracy))
    if (!llvm::is_contained(*allowed, name))
      return emitError(module.getLoc())
             << "option 'accuracy': the tasks of the module were extracted "
                "without '"
             << name << "', which rewrites only modules without tasks";
  return success();
}

/// The functions that only forms call that are not the chosen ones.
static llvm::StringSet<> findUnchosen(ModuleOp module) {
  llvm::StringSet<> unchosen, others;
  module.walk([&](func::CallOp call) {
    bool isUnchosen = false;
    for (Operation *op = call; op; op = op->getParentOp())
      if (auto parent = dyn_cast_or_null<AlternativesOp>(op->getParentOp()))
        isUnchosen |=
            parent.getChosenAttr() &&
            op->getParentRegion()->getRegionNumber() != parent.getChosenIndex();
    (isUnchosen ? unchosen : others).insert(call.getCallee());
  });
  for (llvm::StringRef name : others.keys())
    unchosen.erase(name);
  return unchosen;
}

FailureOr<std::vector<ModuleTask>>
pruner::collectTasks(ModuleOp module, const TaskOptions &options) {
  if (failed(hasTask(module) ? checkAccuracy(module, options.accuracy)
                             : extractTasks(module, options)))
    return failure();
  std::vector<ModuleTask> tasks;
  const llvm::StringSet<> unchosen =
      options.ofAllForms ? llvm::StringSet<>() : findUnchosen(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isTask(function) || unchosen.contains(function.getName()))
      continue;
    FailureOr<TaskIR> ir = readTask(function);
    if (failed(ir))
      return failure();
    ModuleTask task;
    task.function = function;
    task.kind = taskKind(*ir);
    task.desc = std::move(ir->desc);
    TaskInfo info = currentInfo(function, task.desc);
    task.key = info.key;
    for (const ModuleTask &other : tasks)
      if (other.key == task.key)
        return emitError(function.getLoc())
               << "the task '" << task.desc.name << "' is the same as '"
               << other.desc.name
               << "'; call one of them in both places and remove the other";
    task.weight = double(info.weight);
    task.flops = double(info.flops);
    task.bytes = double(info.bytes);
    task.text = moduleText(function);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

llvm::Error pruner::findCacheStates(ModuleOp module,
                                    const Environment &environment,
                                    llvm::StringRef caches,
                                    std::vector<ModuleTask> &tasks) {
  if (caches != "network" && caches != "warm")
    return llvm::createStringError(
        "option 'caches': expected 'network' or 'warm', but got '" + caches +
        "'");
  if (caches == "warm" || !environment.machine.isCpu())
    return llvm::Error::success();
  llvm::DenseMap<Operation *, CacheState> states = reuseDistances(module);
  for (ModuleTask &task : tasks)
    task.cacheState = states.lookup(task.function);
  return llvm::Error::success();
}
