//===- OptionOverride.cpp - an option of LLVM for a while -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/OptionOverride.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

pruner::OptionOverride::OptionOverride(StringRef name, StringRef value) {
  auto &options = cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found == options.end() || found->second->getNumOccurrences() > 0)
    return;
  option = found->second;
  option->addOccurrence(0, name, value);
}

pruner::OptionOverride::~OptionOverride() {
  if (option)
    option->reset();
}
