//===- FuzzMachines.cpp - machine files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/MachineFile.h"

#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto machine = parseMachine(text, "input");
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return 0;
  }
  std::string printed;
  llvm::raw_string_ostream os(printed);
  printMachineJson(*machine, os);
  if (auto again = parseMachine(printed, "printed"); !again)
    std::abort();
  return 0;
}
