//===- TuningSession.cpp - tuning and compiling tasks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TuningSession.h"

#include "Process.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Builder/PackedArguments.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"
#include "pruner/Runtime/KernelTeam.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Verification/Reference.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

using namespace pruner;
using namespace pruner::bench;

llvm::Expected<TuningSession> TuningSession::create(unsigned threads,
                                                    llvm::StringRef target) {
  auto environment = Environment::create(target, threads);
  if (!environment)
    return environment.takeError();
  TuningSession session;
  mlir::DialectRegistry registry;
  registerBuilderDialects(registry);
  session.state = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  session.state->loadAllAvailableDialects();
  session.env = std::move(*environment);
  return session;
}

llvm::Expected<std::vector<TuningSession>>
TuningSession::createAll(llvm::StringRef targets) {
  std::vector<TuningSession> sessions;
  llvm::SmallVector<llvm::StringRef> names;
  targets.split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    auto session = create(/*threads=*/1, name);
    if (!session)
      return session.takeError();
    sessions.push_back(std::move(*session));
  }
  if (sessions.empty())
    return llvm::createStringError("expected at least one target in --targets");
  return sessions;
}

llvm::Expected<ModuleTasks> TuningSession::tasks(llvm::StringRef name,
                                                 llvm::StringRef text) {
  ModuleTasks found;
  if (llvm::Error error =
          withDiagnostics(*state, ("finding the tasks of " + name).str(), [&] {
            found.module =
                mlir::parseSourceString<mlir::ModuleOp>(text, state.get());
            if (!found.module)
              return mlir::failure();
            auto tasks = collectTasks(*found.module,
                                      {env.machine.isGpu(), "", {env.machine}});
            if (mlir::failed(tasks))
              return mlir::failure();
            found.tasks = std::move(*tasks);
            return mlir::success();
          }))
    return error;
  return found;
}

llvm::Expected<unsigned>
TuningSession::countTrials(llvm::ArrayRef<ModuleTask> tasks,
                           llvm::StringRef path) const {
  if (!llvm::sys::fs::exists(path))
    return 0u;
  auto database = Database::open(path, OpenMode::ReadOnly);
  if (!database)
    return database.takeError();
  unsigned count = 0;
  std::string options = env.pipelineOptions();
  for (const ModuleTask &task : tasks)
    if (llvm::Error error = database->forEach(
            env.query(task), [&](Record record) -> llvm::Error {
              count += record.pipelineOptions == options &&
                       !isOfFinal(record) && isScheduleText(record.schedule);
              return llvm::Error::success();
            }))
      return error;
  return count;
}

llvm::Error TuningSession::tune(llvm::StringRef name, llvm::StringRef text,
                                const TuneCommand &command) {
  auto found = tasks(name, text);
  if (!found)
    return found.takeError();
  auto have = countTrials(found->tasks, command.database);
  if (!have)
    return have.takeError();
  if (*have >= command.trials)
    return llvm::Error::success();
  auto directory = TemporaryDirectory::create("pruner-bench");
  if (!directory)
    return directory.takeError();
  std::string input = directory->file("model.mlir");
  if (llvm::Error error = writeText(input, text))
    return error;
  llvm::errs() << "tuning " << name << ": " << *have << " of " << command.trials
               << " trials recorded\n";
  return runTool(siblingTool("pruner-opt"),
                 {input, "--pruner-tune=target=cpu trials=" +
                             std::to_string(command.trials) +
                             " db=" + command.database +
                             " threads=" + std::to_string(env.threads) +
                             " lower=false " + command.options},
                 ToolOutput::Show);
}

llvm::Expected<std::string> TuningSession::lowered(
    llvm::StringRef name, llvm::StringRef text,
    llvm::function_ref<llvm::Expected<std::string>(const ModuleTask &)>
        choose) {
  auto found = tasks(name, text);
  if (!found)
    return found.takeError();
  std::vector<std::string> schedules;
  for (const ModuleTask &task : found->tasks) {
    auto schedule = choose(task);
    if (!schedule)
      return schedule.takeError();
    schedules.push_back(std::move(*schedule));
  }
  if (llvm::Error error =
          withDiagnostics(*state, ("lowering the tasks of " + name).str(), [&] {
            for (auto [task, schedule] : llvm::zip(found->tasks, schedules)) {
              if (schedule.empty())
                continue;
              ScheduleAttr attribute = parseScheduleText(schedule, state.get());
              if (!attribute)
                return mlir::failure();
              task.function->setAttr(PrunerDialect::getScheduleAttrName(),
                                     attribute);
            }
            return lowerScheduled(*found->module, env);
          }))
    return error;
  std::string result;
  llvm::raw_string_ostream(result) << *found->module;
  return result;
}

llvm::Expected<CompiledTask> TuningSession::compile(const ModuleTask &task,
                                                    llvm::StringRef schedule,
                                                    unsigned threads) {
  auto program = TaskProgram::parse(*state, task.text);
  if (!program)
    return program.takeError();
  auto built = buildCandidate(*program, schedule, env.target, {threads});
  if (!built)
    return built.takeError();
  setKernelThreads(threads);
  auto module = loadObject(built->artifact);
  if (!module)
    return module.takeError();
  auto function = (*module)->lookup(built->entry);
  if (!function)
    return function.takeError();
  auto packs = readPacks(built->facts, program->inputs().size());
  if (!packs)
    return packs.takeError();
  auto packed = PackedArguments::create(**module, *packs);
  if (!packed)
    return packed.takeError();
  code.push_back(std::move(*module));
  CompiledTask result;
  result.pack =
      [memory = std::make_shared<PackedArguments>(std::move(*packed))](
          llvm::ArrayRef<void *> arguments) { return memory->pack(arguments); };
  result.inputs.assign(program->inputs().begin(), program->inputs().end());
  result.outputs.assign(program->outputs().begin(), program->outputs().end());
  result.run = [entry = *function](llvm::ArrayRef<void *> arguments) {
    invokeKernel(entry, arguments);
  };
  result.stages = toJSON(built->times);
  result.facts = std::move(built->facts);
  return result;
}
