//===- CodeTarget.cpp - the target of code generation ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/CodeTarget.h"

#include "pruner/Machine/Machine.h"

using namespace pruner;

static constexpr llvm::StringLiteral cpu = "cpu", nvidia = "nvidia:";

std::string pruner::nvidiaName(llvm::StringRef model) {
  return (nvidia + model).str();
}

bool pruner::consumeNvidia(llvm::StringRef &name) {
  return name.consume_front(nvidia);
}

llvm::Expected<CodeTarget> CodeTarget::parse(llvm::StringRef text) {
  if (text == cpu)
    return CodeTarget();
  llvm::StringRef chip = text;
  if (consumeNvidia(chip) && !chip.empty())
    return CodeTarget(Family::Nvidia, chip.str());
  if (chip.consume_front(cpu) && chip.consume_front(":") && !chip.empty())
    return CodeTarget(Family::Cpu, chip.str());
  return llvm::createStringError("unknown target '%s'; expected 'cpu', "
                                 "'cpu:<name>' or 'nvidia:<chip>'",
                                 text.str().c_str());
}

CodeTarget CodeTarget::of(const Machine &machine) {
  return machine.isGpu() ? CodeTarget(Family::Nvidia, machine.arch)
                         : CodeTarget();
}

std::string CodeTarget::str() const {
  if (isGpu())
    return nvidiaName(name);
  return name.empty() ? cpu.str() : (cpu + ":" + name).str();
}
