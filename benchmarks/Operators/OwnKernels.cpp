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

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// The library of a module's file.
static llvm::Error translate(const std::string &module,
                             const std::string &library) {
  return runTool(siblingTool("pruner-translate"),
                 {module, "--to=library", "-o", library}, ToolOutput::Keep);
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
       "-o", tuned},
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
                                 const TuneCommand &command,
                                 const TemporaryDirectory &directory) {
  OwnKernels result;
  std::string text = moduleText(op), module = directory.file(op.name + ".mlir");
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
    return llvm::Error::success();
  };
  if (llvm::Error error = make())
    result.failure = llvm::toString(std::move(error));
  return result;
}

//===----------------------------------------------------------------------===//
// Contenders
//===----------------------------------------------------------------------===//

/// Opens the library of `path` and calls it on `data`.
static void bindLibrary(Contender &contender, const std::string &path,
                        OperatorData &data) {
  auto library = NetworkLibrary::open(path, int(contender.threads));
  if (!library) {
    contender.failure = llvm::toString(library.takeError());
    return;
  }
  contender.facts["workspace_bytes"] = library->workspaceBytes();
  std::vector<const void *> inputs;
  for (const FloatBuffer &buffer : data.inputs())
    inputs.push_back(buffer.data());
  data.bind(contender,
            [library = std::move(*library), inputs = std::move(inputs),
             output = static_cast<void *>(data.output().data())] {
              library.run(inputs.data(), &output);
            });
}

std::vector<Contender> bench::ownContenders(const OwnKernels &kernels,
                                            OperatorData &data) {
  std::vector<Contender> result;
  Contender tuned;
  tuned.name = "pruner";
  tuned.role = Role::Tuned;
  tuned.detail = std::to_string(kernels.applied) + " of " +
                 std::to_string(kernels.tasks) + " tasks tuned";
  tuned.failure = kernels.failure;
  tuned.facts["trials"] = int64_t(kernels.trials);
  if (tuned.failure.empty())
    bindLibrary(tuned, kernels.tuned, data);
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
  if (plain.failure.empty())
    bindLibrary(plain, kernels.plain, data);
  result.push_back(std::move(plain));
  return result;
}
