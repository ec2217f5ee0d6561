//===- TargetOption.cpp - the `target` option of passes -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetOption.h"

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/MachineFile.h"

#include "mlir/IR/Diagnostics.h"

using namespace pruner;

static constexpr const char *defaultGpu = "nvidia:sm_80";

const Machine *TargetOption::get(bool gpu) {
  std::string name = target;
  if (name.empty())
    name = gpu ? defaultGpu : CodeTarget().str();
  auto known = machines.find(name);
  if (known != machines.end())
    return &known->second;
  llvm::Expected<Machine> machine = parseTarget(name);
  if (!machine) {
    where->emitError() << llvm::toString(machine.takeError());
    return nullptr;
  }
  return &machines.emplace(name, std::move(*machine)).first->second;
}
