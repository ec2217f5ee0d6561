//===- Environment.cpp - where and how code is measured -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/ModuleTasks/Environment.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Pipelines/GeneratorIdentity.h"

#include "llvm/Config/llvm-config.h"

using namespace pruner;

llvm::Expected<Environment> Environment::create(llvm::StringRef target,
                                                unsigned threads) {
  Environment environment;
  llvm::Expected<Machine> machine = parseTarget(target);
  if (!machine)
    return machine.takeError();
  environment.machine = std::move(*machine);
  environment.target = CodeTarget::of(environment.machine);
  if (environment.target.isGpu()) {
    environment.threads = 1;
    return environment;
  }
  int64_t cores = std::max<int64_t>(environment.machine.units, 1);
  if (threads > cores)
    return llvm::createStringError(
        "option 'threads': expected at most %lld, the cores that this process "
        "may use, but got %u",
        (long long)cores, threads);
  environment.threads = threads == 0 ? unsigned(cores) : threads;
  return environment;
}

std::string Environment::pipelineOptions() const {
  std::string options =
      target.isGpu() ? "" : "threads=" + std::to_string(threads);
  if (!builder.empty())
    options += (options.empty() ? "builder=" : " builder=") + builder;
  return options;
}

std::string Environment::toolchain() {
  return "llvm-" LLVM_VERSION_STRING " pruner-" PRUNER_VERSION;
}

llvm::StringRef Environment::prunerVersion() { return PRUNER_VERSION; }

RecordQuery Environment::query(const ModuleTask &task) const {
  RecordQuery query;
  query.taskKey = task.key;
  query.target = target.str();
  query.machineKey = machineKey();
  query.toolchain = toolchain();
  query.generator = generatorIdentity().str();
  return query;
}

PsaOptions pruner::psaOptions(const Environment &environment,
                              const ModuleTask &task) {
  PsaOptions options;
  options.threads = environment.threads;
  options.caches = task.cacheState;
  return options;
}
