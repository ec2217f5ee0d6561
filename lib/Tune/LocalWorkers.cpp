//===- LocalWorkers.cpp - workers on this machine -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tune/LocalWorkers.h"

#include "Interrupt.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Support/CodeDirectory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"

#include <algorithm>
#include <sys/resource.h>

using namespace pruner;

/// Finds the worker that belongs to this code.
static llvm::Expected<std::string> workerProgram() {
  std::optional<std::string> directory = codeDirectory();
  if (!directory)
    return llvm::createStringError(std::string("cannot find pruner-worker: ") +
                                   kNoCodeDirectory +
                                   "; set its path with option 'worker'");
  std::string tried;
  for (const char *place : {"pruner-worker", "../bin/pruner-worker"}) {
    llvm::SmallString<256> path(*directory);
    llvm::sys::path::append(path, place);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    if (llvm::sys::fs::can_execute(path))
      return path.str().str();
    tried += (tried.empty() ? "'" : ", '") + path.str().str() + "'";
  }
  return llvm::createStringError("cannot find pruner-worker; tried " + tried +
                                 "; set its path with option 'worker'");
}

llvm::Expected<WorkerCommand> pruner::localWorker(llvm::StringRef program) {
  WorkerCommand local;
  local.program = program.str();
  if (program.empty()) {
    auto found = workerProgram();
    if (!found)
      return found.takeError();
    local.program = std::move(*found);
  } else if (!program.contains('/')) {
    return llvm::createStringError("option 'worker': expected a path with a "
                                   "'/', because PATH is not searched, but got "
                                   "'" +
                                   program.str() + "'");
  }
  local.addressSpaceBytes = uint64_t(16) << 30;
  // Children cannot exceed the limit of this process.
  rlimit own;
  if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_max != RLIM_INFINITY)
    local.addressSpaceBytes =
        std::min<uint64_t>(local.addressSpaceBytes, own.rlim_max);
  return local;
}

/// A builder that is a command must run on the same kind of CPU, because code
/// is built for the CPU of the host.
static void setMachine(WorkerCommand &builder, const Environment &environment) {
  if (!builder.exec.empty() && environment.machine.isCpu())
    builder.machine = environment.machineKey();
}

llvm::Expected<std::string>
pruner::queryBuilderName(WorkerCommand builder,
                         const Environment &environment) {
  setMachine(builder, environment);
  builder.stopAsked = interrupted;
  llvm::Expected<HelloReply> hello = WorkerProcess(builder).greet();
  if (!hello)
    return hello.takeError();
  std::string name = hello->codeGenerator();
  if (name == generatorIdentity())
    return std::string();
  if (name.empty() || !llvm::all_of(name, llvm::isPrint))
    return llvm::createStringError(
        "the greeting of the worker names no code generator");
  if (!hello->generator.empty())
    return llvm::createStringError(
        "the worker is from another build than this tuner: expected the code "
        "generator '" +
        generatorIdentity() + "', but got '" + name + "'");
  return name;
}

llvm::Expected<bool> pruner::isOnMachine(WorkerCommand runner,
                                         const Environment &environment) {
  runner.machine = environment.machineKey();
  runner.stopAsked = interrupted;
  llvm::Expected<HelloReply> hello = WorkerProcess(runner).greet();
  if (!hello)
    return hello.takeError();
  return hello->machine == runner.machine;
}

WorkerPoolOptions pruner::poolOptions(const Environment &environment,
                                      WorkerCommand builder,
                                      WorkerCommand runner) {
  WorkerPoolOptions options;
  // Records name the machine and the code generator, so both are checked in the
  // greeting.
  if (!runner.exec.empty())
    runner.machine = environment.machineKey();
  if (!builder.exec.empty())
    builder.generator = environment.builder.empty() ? generatorIdentity().str()
                                                    : environment.builder;
  setMachine(builder, environment);
  options.builder = std::move(builder);
  if (environment.machine.isGpu()) {
    // The CUDA driver reserves terabytes of address space. Builders may use all
    // cores, because no candidate runs on the host.
    runner.addressSpaceBytes = 0;
    options.builders =
        std::max(2u, llvm::hardware_concurrency().compute_thread_count());
  }
  options.runner = std::move(runner);
  options.pinRunner = environment.threads == 1;
  options.stopAsked = interrupted;
  return options;
}
