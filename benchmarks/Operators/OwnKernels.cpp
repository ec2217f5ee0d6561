//===- OwnKernels.cpp - Pruner's kernels of an operation ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnKernels.h"

#include "InterleavedTiming.h"
#include "ModelVerdict.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Draft.h"
#include "pruner/Library/LoadedNetwork.h"
#include "pruner/Record/Database.h"
#include "pruner/Support/Random.h"
#include "pruner/TaskRecords/TaskRecords.h"
#include "pruner/Verification/ElementData.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// Builds the library of a function of a module's file.
static llvm::Error translate(const std::string &module,
                             const std::string &library,
                             const std::string &entry = "main") {
  return runTool(siblingTool("pruner-translate"),
                 {module, "--to=library", "--entry=" + entry, "-o", library},
                 ToolOutput::Keep);
}

/// Runs `passes` and moves computations that depend on weights alone to a
/// separate function, then builds the library.
static llvm::Error buildLibrary(OwnLibrary &library, const std::string &module,
                                const std::string &passes,
                                const std::string &stem) {
  std::string prepared = stem + ".mlir", file = stem + ".so";
  std::vector<std::string> arguments{module};
  if (!passes.empty())
    arguments.push_back(passes);
  arguments.insert(arguments.end(),
                   {"--pruner-hoist-constants", "-o", prepared});
  if (llvm::Error error =
          runTool(siblingTool("pruner-opt"), arguments, ToolOutput::Keep))
    return error;
  if (llvm::Error error = translate(prepared, file))
    return error;
  auto text = llvm::MemoryBuffer::getFile(prepared);
  if (!text)
    return llvm::createStringError(text.getError(), "cannot read '%s'",
                                   prepared.c_str());
  if ((*text)->getBuffer().contains("@main_prepare(")) {
    library.prepare = stem + ".prepare.so";
    if (llvm::Error error =
            translate(prepared, library.prepare, "main_prepare"))
      return error;
  }
  library.file = file;
  return llvm::Error::success();
}

static std::string applyBest(const TuningSession &session,
                             const std::string &database) {
  return "--pruner-apply-best=target=cpu db=" + database +
         " threads=" + std::to_string(session.environment().threads);
}

/// The schedule of `pruner-draft`.
static llvm::Expected<std::string> draftText(TuningSession &session,
                                             const ModuleTask &task) {
  std::optional<Schedule> schedule =
      pruner::draftSchedule(task.desc, task.cacheState, session.environment(),
                            kDraftPopulation, /*seed=*/0);
  if (!schedule)
    return llvm::createStringError("the space of '%s' has no legal schedule",
                                   task.desc.name.c_str());
  std::string text;
  llvm::raw_string_ostream(text)
      << ScheduleAttr::get(&session.context(), *schedule);
  return text;
}

//===----------------------------------------------------------------------===//
// Kernels alone
//===----------------------------------------------------------------------===//

namespace {
/// A tuned task with its own operands.
struct BoundTask {
  CompiledTask task;
  std::vector<FloatBuffer> buffers;
  std::vector<void *> arguments;

  void run() { task.run(arguments); }
};
} // namespace

static std::shared_ptr<BoundTask> bindTask(CompiledTask compiled) {
  auto bound = std::make_shared<BoundTask>();
  Random random(3);
  auto add = [&](const TensorSpec &spec) {
    // Other integers (indices, masks) stay zero.
    FloatBuffer &buffer =
        bound->buffers.emplace_back((spec.bytes() + 3) / sizeof(float));
    for (int64_t i = 0; i < spec.elements(); ++i)
      if (spec.type == ElementType::I8)
        writeInteger(buffer.data(), spec.type, i, int64_t(random.uniform(256)));
      else if (isFloat(spec.type))
        writeElement(buffer.data(), spec.type, i,
                     double(random.uniform(128)) / 64 - 1);
    bound->arguments.push_back(buffer.data());
  };
  for (const TensorSpec &spec : compiled.inputs)
    add(spec);
  for (const TensorSpec &spec : compiled.outputs)
    add(spec);
  bound->task = std::move(compiled);
  bound->arguments = bound->task.pack(bound->arguments);
  return bound;
}

/// Finds the best record of every task and compiles it.
static llvm::Error compileTasks(OwnKernels &result, TuningSession &session,
                                const ModuleTasks &found,
                                const std::string &path) {
  auto database = Database::open(path, OpenMode::ReadOnly);
  if (!database)
    return database.takeError();
  std::vector<std::shared_ptr<BoundTask>> all;
  double longest = 0;
  for (const ModuleTask &task : found.tasks) {
    auto record = bestRecord(*database, session.environment(), task,
                             /*unmeasured=*/false);
    if (!record)
      return record.takeError();
    json::Object facts{{"task", task.key},
                       {"calls", task.weight},
                       {"flops", task.flops},
                       {"bytes", task.bytes}};
    if (*record) {
      facts["schedule"] = (*record)->schedule;
      facts["trial"] = (*record)->trial;
      if (auto seconds = medianTime(**record))
        facts["tuned_s"] = *seconds;
      auto verdict = explainSchedule(session.context(), session.environment(),
                                     task, (*record)->schedule);
      if (!verdict)
        return verdict.takeError();
      if (verdict->seconds * task.weight > longest) {
        longest = verdict->seconds * task.weight;
        result.limit = verdict->limit;
      }
      facts["model_s"] = verdict->seconds;
      facts["model"] = std::move(verdict->report);
      auto compiled = session.compile(task, (*record)->schedule,
                                      session.environment().threads);
      if (!compiled)
        return compiled.takeError();
      facts["compile_ms"] = std::move(compiled->stages);
      facts["object"] = std::move(compiled->facts);
      ++result.applied;
      // A task that occurs more than once runs as often.
      auto bound = bindTask(std::move(*compiled));
      for (double calls = 0; calls < task.weight; ++calls)
        all.push_back(bound);
    }
    result.taskFacts.push_back(std::move(facts));
  }
  if (result.applied == found.tasks.size() && !all.empty())
    result.kernels = [all = std::move(all)] {
      for (const std::shared_ptr<BoundTask> &each : all)
        each->run();
    };
  return llvm::Error::success();
}

static std::string tunedText(const OwnKernels &kernels) {
  return std::to_string(kernels.applied) + " of " +
         std::to_string(kernels.taskFacts.size()) + " tasks tuned";
}

/// Tunes and creates everything that needs records. Returns why "pruner" is
/// missing.
static llvm::Error makeTuned(OwnKernels &result, TuningSession &session,
                             const Operator &op, const std::string &text,
                             const TuneCommand &command,
                             const std::string &module,
                             const std::string &stem) {
  if (command.database.empty())
    return llvm::createStringError("no database");
  if (llvm::Error error = session.tune(op.name, text, command))
    return error;
  auto found = session.tasks(op.name, text);
  if (!found)
    return found.takeError();
  result.tasks = unsigned(found->tasks.size());
  OwnLibrary &tuned = result.libraries.front();
  if (found->tasks
          .empty()) // Without tasks there is nothing to record or apply.
    return translate(module, tuned.file = stem + ".so");
  auto trials = session.countTrials(found->tasks, command.database);
  if (!trials)
    return trials.takeError();
  result.trials = *trials;
  result.libraries.front().facts["trials"] = int64_t(*trials);
  if (llvm::Error error =
          compileTasks(result, session, *found, command.database))
    return error;
  tuned.detail = tunedText(result);
  return buildLibrary(tuned, module, applyBest(session, command.database),
                      stem);
}

OwnKernels bench::makeOwnKernels(TuningSession &session, const Operator &op,
                                 const OwnOptions &options,
                                 const TemporaryDirectory &directory) {
  OwnKernels result;
  unsigned threads = session.environment().threads;
  result.kernelThreads = threads;
  std::string text = moduleText(op, options.weights);
  std::string module = directory.file(op.name + ".mlir");
  auto add =
      [&](OwnLibrary library,
          llvm::function_ref<llvm::Error(const std::string &stem)> make) {
        std::string stem = directory.file(
            op.name + "." + std::to_string(result.libraries.size()));
        result.libraries.push_back(std::move(library));
        if (llvm::Error error = make(stem))
          result.libraries.back().failure = llvm::toString(std::move(error));
      };
  using Choice =
      llvm::function_ref<llvm::Expected<std::string>(const ModuleTask &)>;
  auto addScheduled = [&](OwnLibrary library, size_t mostTasks, Choice choose) {
    add(std::move(library), [&](const std::string &stem) -> llvm::Error {
      json::Array schedules;
      auto lowered = session.lowered(
          op.name, text,
          [&](const ModuleTask &task) -> llvm::Expected<std::string> {
            if (schedules.size() == mostTasks)
              return llvm::createStringError(
                  "--schedule requires an operation with one task, but this "
                  "one has several");
            auto schedule = choose(task);
            if (schedule)
              schedules.push_back(*schedule);
            return schedule;
          });
      if (!lowered)
        return lowered.takeError();
      if (schedules.empty())
        return llvm::createStringError("this operation has no task");
      OwnLibrary &own = result.libraries.back();
      own.facts["schedules"] = std::move(schedules);
      std::string input = stem + ".lowered.mlir";
      if (llvm::Error error = writeText(input, *lowered))
        return error;
      return buildLibrary(own, input, "", stem);
    });
  };

  add({"pruner", "", Role::Tuned, threads}, [&](const std::string &stem) {
    llvm::Error error = writeText(module, text);
    return error ? std::move(error)
                 : makeTuned(result, session, op, text, options.command, module,
                             stem);
  });
  if (options.single && !options.command.database.empty())
    add({"pruner, 1 thread", ""}, [&](const std::string &stem) {
      OwnLibrary &own = result.libraries.back();
      auto found = options.single->tasks(op.name, text);
      if (!found)
        return found.takeError();
      auto trials =
          options.single->countTrials(found->tasks, options.command.database);
      if (!trials)
        return trials.takeError();
      if (*trials == 0 && !found->tasks.empty())
        return llvm::createStringError(
            "the database has no trials of one thread");
      own.facts["trials"] = int64_t(*trials);
      OwnKernels alone;
      if (llvm::Error error = compileTasks(alone, *options.single, *found,
                                           options.command.database))
        return error;
      own.detail = tunedText(alone);
      own.facts["tasks"] = std::move(alone.taskFacts);
      return buildLibrary(own, module,
                          applyBest(*options.single, options.command.database),
                          stem);
    });
  if (options.draft)
    addScheduled(
        {"draft", "analytical model, nothing measured", Role::Own, threads},
        SIZE_MAX,
        [&](const ModuleTask &task) { return draftText(session, task); });
  for (size_t n = 0; n < options.schedules.size(); ++n)
    addScheduled({"schedule " + std::to_string(n + 1), "", Role::Own, threads},
                 /*mostTasks=*/1,
                 [&](const ModuleTask &) { return options.schedules[n]; });
  if (options.untuned)
    add({"default", "plain loops, LLVM -O3"}, [&](const std::string &stem) {
      OwnLibrary &plain = result.libraries.back();
      plain.file = stem + ".so";
      return translate(module, plain.file);
    });
  return result;
}

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

namespace {
/// Addresses of tensors, by their names in libraries.
using TensorPlaces = std::map<std::string, const void *>;
} // namespace

static llvm::Expected<std::vector<const void *>>
inputsOf(const LoadedNetwork &library, const TensorPlaces &places) {
  std::vector<const void *> inputs;
  for (const NetworkTensor &tensor : library.inputs) {
    auto place = places.find(tensor.name);
    if (place == places.end())
      return llvm::createStringError("unknown input '%s'", tensor.name.c_str());
    inputs.push_back(place->second);
  }
  return inputs;
}

/// Runs the library of `path` once and adds its results to `places`.
static llvm::Expected<std::vector<FloatBuffer>>
prepareWeights(const std::string &path, TensorPlaces &places) {
  std::vector<FloatBuffer> results;
  auto library = LoadedNetwork::load(path);
  if (!library)
    return library.takeError();
  library->setThreads(1);
  auto inputs = inputsOf(*library, places);
  if (!inputs)
    return inputs.takeError();
  std::vector<void *> outputs;
  for (const NetworkTensor &tensor : library->outputs) {
    FloatBuffer &buffer = results.emplace_back(size_t(tensor.elements()));
    outputs.push_back(buffer.data());
    places[tensor.name] = buffer.data();
  }
  if (llvm::Error error = library->run(*inputs, outputs))
    return error;
  return results;
}

/// Opens the library and calls it on `data`, with prepared weights if it has a
/// second library.
static llvm::Error bindLibrary(Contender &contender, const OwnLibrary &own,
                               OperatorData &data) {
  auto library = LoadedNetwork::load(own.file);
  if (!library)
    return library.takeError();
  library->setThreads(own.threads);
  contender.facts["workspace_bytes"] = library->workspaceBytes;
  TensorPlaces places;
  // Without names, arguments are numbered.
  for (auto [n, buffer] : llvm::enumerate(data.inputs()))
    places[operandName(n)] = places["arg" + std::to_string(n)] = buffer.data();
  auto prepared = std::make_shared<std::vector<FloatBuffer>>();
  if (!own.prepare.empty()) {
    auto results = prepareWeights(own.prepare, places);
    if (!results)
      return results.takeError();
    *prepared = std::move(*results);
  }
  auto inputs = inputsOf(*library, places);
  if (!inputs)
    return inputs.takeError();
  data.bind(contender,
            [library = std::move(*library), inputs = std::move(*inputs),
             prepared, output = static_cast<void *>(data.output().data())] {
              // Pointers are aligned and inputs need no checks.
              llvm::cantFail(library.run(inputs, output));
            });
  return llvm::Error::success();
}

std::vector<Contender> bench::ownContenders(const OwnKernels &kernels,
                                            OperatorData &data) {
  std::vector<Contender> result;
  for (const OwnLibrary &library : kernels.libraries) {
    Contender &contender = result.emplace_back();
    contender.name = library.name;
    contender.detail = library.detail;
    contender.role = library.role;
    contender.threads = library.threads;
    contender.failure = library.failure;
    contender.facts = library.facts;
    if (contender.failure.empty())
      if (llvm::Error error = bindLibrary(contender, library, data))
        contender.failure = llvm::toString(std::move(error));
  }
  if (!kernels.kernels)
    return result;
  Contender alone;
  alone.name = "kernels";
  alone.role = Role::Own;
  alone.detail = "the tuned tasks alone";
  alone.threads = kernels.kernelThreads;
  alone.time =
      [run = kernels.kernels](
          const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
    return timeBatches(run, request);
  };
  result.insert(result.begin() + 1, std::move(alone));
  return result;
}
