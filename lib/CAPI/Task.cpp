//===- Task.cpp - tasks and models of the C interface ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/ReuseDistance.h"
#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Schedule/Space.h"

#include <cmath>

using namespace pruner;
using namespace pruner::capi;

static std::string textOf(const Schedule &schedule,
                          mlir::MLIRContext *context) {
  std::string text;
  llvm::raw_string_ostream(text) << ScheduleAttr::get(context, schedule);
  return text;
}

/// Copies the attributes of the function.
static Task copyTask(Context &context, ModuleTask from) {
  Task task{context, std::move(from), "", -1};
  mlir::func::FuncOp function = task.task.function;
  if (auto schedule = function->getAttr(PrunerDialect::getScheduleAttrName()))
    llvm::raw_string_ostream(task.schedule) << schedule;
  if (auto seconds = function->getAttrOfType<mlir::FloatAttr>(
          PrunerDialect::getSecondsAttrName()))
    task.seconds = seconds.getValueAsDouble();
  task.task.function = {};
  return task;
}

namespace {
/// The arguments of a call: a target, and legal schedules for a task.
struct Asked {
  Environment environment;
  std::vector<Schedule> schedules;
  PsaOptions psa;
};
} // namespace

static llvm::Expected<Asked> read(const Task &task, const char *target,
                                  unsigned threads, const char *const *texts,
                                  size_t count) {
  auto environment = Environment::create(capi::textOf(target), threads);
  if (!environment)
    return environment.takeError();
  Asked asked{std::move(*environment), {}, {}};
  asked.psa.threads = asked.environment.threads;
  asked.psa.caches = task.task.cacheState;
  for (size_t n = 0; n < count; ++n) {
    llvm::StringRef text = capi::textOf(texts ? texts[n] : nullptr);
    std::string number = "schedule " + std::to_string(n) + ": ";
    auto schedule = readScheduleText(text, task.context.mlir);
    if (!schedule)
      return llvm::createStringError(number +
                                     llvm::toString(schedule.takeError()));
    if (auto broken = checkSchedule(task.task.desc, schedule->getValue(),
                                    asked.environment.machine))
      return llvm::createStringError(number + broken->message);
    asked.schedules.push_back(schedule->getValue());
  }
  return asked;
}

static PrunerStatus with(PrunerTask handle, const char *target,
                         unsigned threads, const char *const *schedules,
                         size_t count,
                         llvm::function_ref<bool(Task &, Asked &)> call) {
  std::shared_ptr<Task> task = capi::unwrap(handle);
  return guarded(task ? &task->context : nullptr, [&] {
    llvm::Expected<Asked> asked =
        read(*task, target, threads, schedules, count);
    if (!asked) {
      task->context.fail(asked.takeError());
      return false;
    }
    return call(*task, *asked);
  });
}

extern "C" {

PrunerTasks prunerModuleExtractTasks(PrunerModule handle) {
  PrunerTasks made{nullptr};
  std::shared_ptr<Module> module = capi::unwrap(handle);
  guarded(module ? module->context.get() : nullptr, [&] {
    // A module that is in tasks stays as it is.
    bool isCut = llvm::any_of(
        module->op->getOps<mlir::func::FuncOp>(), [](mlir::func::FuncOp op) {
          return op->hasAttr(PrunerDialect::getTaskAttrName());
        });
    Use use(*module, isCut ? Access::Read : Access::Change);
    if (!use.allowed())
      return false;
    auto collected = collectTasks(*module->op);
    if (failed(collected))
      return false;
    auto tasks = std::make_shared<Tasks>();
    tasks->context = module->context;
    auto states = reuseDistances(*module->op);
    for (ModuleTask &task : *collected) {
      task.cacheState = states.lookup(task.function);
      tasks->tasks.push_back(copyTask(*module->context, std::move(task)));
    }
    // The elements must not move from here on.
    for (Task &task : tasks->tasks)
      tasks->handles.push_back(
          {table<Task>().add(std::shared_ptr<Task>(tasks, &task))});
    made.ptr = table<Tasks>().add(std::move(tasks));
    return true;
  });
  return made;
}

void prunerTasksDestroy(PrunerTasks tasks) {
  std::shared_ptr<Tasks> held = table<Tasks>().remove(tasks.ptr);
  if (!held)
    return;
  for (PrunerTask task : held->handles)
    table<Task>().remove(task.ptr);
}

size_t prunerTasksGetSize(PrunerTasks tasks) {
  std::shared_ptr<Tasks> held = capi::unwrap(tasks);
  return held ? held->handles.size() : 0;
}

PrunerTask prunerTasksGet(PrunerTasks tasks, size_t index) {
  std::shared_ptr<Tasks> held = capi::unwrap(tasks);
  return held && index < held->handles.size() ? held->handles[index]
                                              : PrunerTask{nullptr};
}

const char *prunerTaskGetName(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.desc.name.c_str() : "";
}
const char *prunerTaskGetKey(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.key.c_str() : "";
}
const char *prunerTaskGetText(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.text.c_str() : "";
}
double prunerTaskGetWeight(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.weight : 0;
}
double prunerTaskGetFlops(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.flops : 0;
}
double prunerTaskGetBytes(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->task.bytes : 0;
}
const char *prunerTaskGetSchedule(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->schedule.c_str() : "";
}
double prunerTaskGetSeconds(PrunerTask task) {
  std::shared_ptr<Task> held = capi::unwrap(task);
  return held ? held->seconds : -1;
}

PrunerStatus prunerTaskSample(PrunerTask handle, const char *target,
                              size_t count, uint64_t seed,
                              PrunerStringCallback callback, void *userData) {
  return with(handle, target, 0, nullptr, 0, [&](Task &task, Asked &asked) {
    if (count > PRUNER_MAX_SAMPLES) {
      task.context.fail("expected at most " +
                        std::to_string(PRUNER_MAX_SAMPLES) + " samples");
      return false;
    }
    ScheduleSpace space(task.task.desc, asked.environment.machine);
    Random random(seed);
    space.sampleDistinct(count, random, [&](const Schedule &schedule) {
      std::string text = ::textOf(schedule, task.context.mlir);
      if (callback)
        callback(text.data(), text.size(), userData);
    });
    return true;
  });
}

PrunerStatus prunerTaskPredict(PrunerTask handle, const char *target,
                               unsigned threads, const char *const *schedules,
                               size_t count, double *seconds) {
  return with(
      handle, target, threads, schedules, count, [&](Task &task, Asked &asked) {
        DraftModel model(task.task.desc, asked.environment.machine, asked.psa);
        for (size_t n = 0; n < count; ++n)
          seconds[n] = model(asked.schedules[n]);
        return true;
      });
}

PrunerStatus prunerTaskExplain(PrunerTask handle, const char *target,
                               unsigned threads, const char *schedule,
                               PrunerStringCallback callback, void *userData) {
  return with(
      handle, target, threads, &schedule, 1, [&](Task &task, Asked &asked) {
        const Machine &machine = asked.environment.machine;
        DraftModel model(task.task.desc, machine, asked.psa);
        const ProgramSummary &program =
            model.summaryOf(asked.schedules.front());
        PsaReport report = analyzePsa(program, machine, asked.psa);
        llvm::json::Value json = toJson(program, report);
        // Texts for people.
        if (llvm::json::Object *object = json.getAsObject()) {
          (*object)["task"] = task.task.desc.name;
          (*object)["seconds"] = report.seconds;
          if (report.slowest >= 0)
            (*object)["limit"] =
                explainLimit(report.statements[report.slowest], machine);
        }
        CallbackStream(callback, userData) << json;
        return true;
      });
}

PrunerCostModel prunerCostModelLoad(PrunerContext handle, const char *path) {
  PrunerCostModel made{nullptr};
  std::shared_ptr<Context> context = capi::unwrap(handle);
  guarded(context.get(), [&] {
    LoadedModel loaded = loadCostModel(capi::textOf(path).str());
    if (!loaded.model) {
      context->fail(loaded.error);
      return false;
    }
    std::string name = loaded.model->name();
    made.ptr = table<Model>().add(std::shared_ptr<Model>(
        new Model{context, std::move(loaded.model), name}));
    return true;
  });
  return made;
}

void prunerCostModelDestroy(PrunerCostModel model) {
  table<Model>().remove(model.ptr);
}

const char *prunerCostModelGetName(PrunerCostModel model) {
  std::shared_ptr<Model> held = capi::unwrap(model);
  return held ? held->name.c_str() : "";
}

PrunerStatus prunerCostModelPredict(PrunerCostModel modelHandle,
                                    PrunerTask handle, const char *target,
                                    unsigned threads,
                                    const char *const *schedules, size_t count,
                                    float *scores) {
  return with(
      handle, target, threads, schedules, count, [&](Task &task, Asked &asked) {
        std::shared_ptr<Model> held = capi::unwrap(modelHandle);
        if (!held) {
          task.context.fail("the model is null or was destroyed");
          return false;
        }
        CostModel &model = *held->model;
        const Machine &machine = asked.environment.machine;
        if (std::string why = model.refusal(machine.isGpu()); !why.empty()) {
          task.context.fail(why);
          return false;
        }
        ScheduleFeatures features(task.task.desc, machine, model.reads(),
                                  FeatureOptions::of(model), asked.psa);
        std::vector<ProgramFeatures> programs;
        for (const Schedule &schedule : asked.schedules)
          programs.push_back(features(schedule));
        std::vector<float> predicted = model.predict(programs);
        if (std::string problem = model.lastError(); !problem.empty()) {
          task.context.fail(problem);
          return false;
        }
        llvm::copy(predicted, scores);
        return true;
      });
}

} // extern "C"
