//===- OwnKernels.cpp - what Pruner makes of an operation -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnKernels.h"

#include "ModelVerdict.h"
#include "NetworkLibrary.h"
#include "Rounds.h"

#include "pruner/Record/Database.h"
#include "pruner/Support/Random.h"
#include "pruner/Tune/ApplyRecords.h"

#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The library of a function of a module's file.
static llvm::Error translate(const std::string &module,
                             const std::string &library,
                             const std::string &entry = "main") {
  return runTool(siblingTool("pruner-translate"),
                 {module, "--to=library", "--entry=" + entry, "-o", library},
                 ToolOutput::Keep);
}

static llvm::Error applyBest(const TuningSession &session,
                             const std::string &database,
                             const std::string &module,
                             const std::string &tuned) {
  return runTool(
      siblingTool("pruner-opt"),
      {module,
       "--pruner-apply-best=target=cpu db=" + database +
           " threads=" + std::to_string(session.environment().threads),
       "--pruner-hoist-constants", "-o", tuned},
      ToolOutput::Keep);
}

//===----------------------------------------------------------------------===//
// Kernels alone
//===----------------------------------------------------------------------===//

namespace {
/// One tuned task with operands of its own.
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
    // Integer operands (indices, masks) stay zero.
    FloatBuffer &buffer =
        bound->buffers.emplace_back((spec.bytes() + 3) / sizeof(float));
    if (spec.type == ElementType::F32)
      for (float &value : buffer)
        value = float(2 * random.uniformReal() - 1);
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

/// Looks the best record of every task up, and compiles it.
static llvm::Error compileTasks(OwnKernels &result, TuningSession &session,
                                const ModuleTasks &found,
                                const std::string &path) {
  auto database = Database::open(path, OpenMode::ReadOnly);
  if (!database)
    return database.takeError();
  std::vector<std::shared_ptr<BoundTask>> all;
  double longest = 0;
  for (const TuneTask &task : found.tasks) {
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

OwnKernels bench::makeOwnKernels(TuningSession &session, const Operator &op,
                                 Weights weights, const TuneCommand &command,
                                 const TemporaryDirectory &directory) {
  OwnKernels result;
  std::string text = moduleText(op, weights);
  std::string module = directory.file(op.name + ".mlir");
  auto make = [&]() -> llvm::Error {
    if (llvm::Error error = writeText(module, text))
      return error;
    std::string plain = directory.file(op.name + ".plain.so");
    if (llvm::Error error = translate(module, plain))
      result.plainFailure = llvm::toString(std::move(error));
    else
      result.plain = plain;
    if (command.database.empty())
      return llvm::createStringError("no database");
    if (llvm::Error error = session.tune(op.name, text, command))
      return error;
    auto found = session.tasks(op.name, text);
    if (!found)
      return found.takeError();
    result.tasks = unsigned(found->tasks.size());
    if (found->tasks.empty()) { // Nothing to record, nothing to apply.
      result.tuned = result.plain;
      return result.plain.empty() ? llvm::createStringError(result.plainFailure)
                                  : llvm::Error::success();
    }
    auto trials = session.countTrials(found->tasks, command.database);
    if (!trials)
      return trials.takeError();
    result.trials = *trials;
    if (llvm::Error error =
            compileTasks(result, session, *found, command.database))
      return error;
    std::string applied = directory.file(op.name + ".tuned.mlir"),
                library = directory.file(op.name + ".tuned.so");
    if (llvm::Error error =
            applyBest(session, command.database, module, applied))
      return error;
    if (llvm::Error error = translate(applied, library))
      return error;
    result.tuned = library;
    auto file = llvm::MemoryBuffer::getFile(applied);
    if (!file)
      return llvm::createStringError(file.getError(), "cannot read '%s'",
                                     applied.c_str());
    if (!(*file)->getBuffer().contains("@main_prepare("))
      return llvm::Error::success();
    result.prepare = directory.file(op.name + ".prepare.so");
    return translate(applied, result.prepare, "main_prepare");
  };
  if (llvm::Error error = make())
    result.failure = llvm::toString(std::move(error));
  return result;
}

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

namespace {
/// Where tensors are, by the names that libraries know them by.
using TensorPlaces = std::map<std::string, const void *>;
} // namespace

static llvm::Expected<std::vector<const void *>>
inputsOf(const NetworkLibrary &library, const TensorPlaces &places) {
  std::vector<const void *> inputs;
  for (const NetworkLibrary::Tensor &tensor : library.inputs()) {
    auto place = places.find(tensor.name);
    if (place == places.end())
      return llvm::createStringError("nothing is known of input '%s'",
                                     tensor.name.c_str());
    inputs.push_back(place->second);
  }
  return inputs;
}

/// Runs the library of `path` once and adds what it wrote to `places`.
static llvm::Expected<std::vector<FloatBuffer>>
prepareWeights(const std::string &path, TensorPlaces &places) {
  std::vector<FloatBuffer> results;
  auto library = NetworkLibrary::open(path, /*threads=*/1);
  if (!library)
    return library.takeError();
  auto inputs = inputsOf(*library, places);
  if (!inputs)
    return inputs.takeError();
  std::vector<void *> outputs;
  for (const NetworkLibrary::Tensor &tensor : library->outputs()) {
    FloatBuffer &buffer = results.emplace_back(size_t(tensor.elements));
    outputs.push_back(buffer.data());
    places[tensor.name] = buffer.data();
  }
  library->run(inputs->data(), outputs.data());
  return results;
}

/// Opens the library of `path` and calls it on `data`, with weights as the
/// library of `prepare` makes them, if there is one.
static llvm::Error bindLibrary(Contender &contender, const std::string &path,
                               const std::string &prepare, OperatorData &data) {
  auto library = NetworkLibrary::open(path, int(contender.threads));
  if (!library)
    return library.takeError();
  contender.facts["workspace_bytes"] = library->workspaceBytes();
  TensorPlaces places;
  // Without names the arguments are those of the function.
  for (auto [n, buffer] : llvm::enumerate(data.inputs()))
    places[operandName(n)] = places["arg" + std::to_string(n)] = buffer.data();
  auto prepared = std::make_shared<std::vector<FloatBuffer>>();
  if (!prepare.empty()) {
    auto results = prepareWeights(prepare, places);
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
              library.run(inputs.data(), &output);
            });
  return llvm::Error::success();
}

std::vector<Contender> bench::ownContenders(const OwnKernels &kernels,
                                            OperatorData &data) {
  std::vector<Contender> result;
  auto bind = [&](Contender &contender, const std::string &path,
                  const std::string &prepare) {
    if (contender.failure.empty())
      if (llvm::Error error = bindLibrary(contender, path, prepare, data))
        contender.failure = llvm::toString(std::move(error));
  };
  Contender tuned;
  tuned.name = "pruner";
  tuned.role = Role::Tuned;
  tuned.detail = std::to_string(kernels.applied) + " of " +
                 std::to_string(kernels.tasks) + " tasks tuned";
  tuned.failure = kernels.failure;
  tuned.facts["trials"] = int64_t(kernels.trials);
  bind(tuned, kernels.tuned, kernels.prepare);
  result.push_back(std::move(tuned));
  if (kernels.kernels) {
    Contender alone;
    alone.name = "kernels";
    alone.role = Role::Own;
    alone.detail = "the tuned tasks alone";
    alone.time =
        [run = kernels.kernels](
            const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
      return timeBatches(run, request);
    };
    result.push_back(std::move(alone));
  }
  Contender plain;
  plain.name = "default";
  plain.role = Role::Own;
  plain.detail = "plain loops, LLVM -O3";
  plain.failure = kernels.plainFailure;
  bind(plain, kernels.plain, "");
  result.push_back(std::move(plain));
  return result;
}
