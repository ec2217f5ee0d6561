//===- pruner-machine.cpp - print what is known about a device -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/MachineFile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace pruner;

static llvm::cl::OptionCategory category("pruner-machine options");
static llvm::cl::opt<std::string>
    target(llvm::cl::Positional, llvm::cl::init("cpu"),
           llvm::cl::value_desc("cpu | nvidia:<name> | file:<path>"),
           llvm::cl::desc("<target>"), llvm::cl::cat(category));
static llvm::cl::opt<bool> asJson("json",
                                  llvm::cl::desc("Print the file format"),
                                  llvm::cl::cat(category));
static llvm::cl::opt<bool>
    onlyKey("key", llvm::cl::desc("Print the record database's key"),
            llvm::cl::cat(category));
static llvm::cl::opt<bool>
    list("list", llvm::cl::desc("List the known devices and architectures"),
         llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    output("o", llvm::cl::desc("Write the file format to a file"),
           llvm::cl::value_desc("file"), llvm::cl::cat(category));

static void printList(llvm::raw_ostream &os) {
  os << "cpu (this host)\n";
  for (const std::string &name : knownMachineNames()) {
    os << name;
    if (llvm::Expected<Machine> machine = knownMachine(name))
      os << " (" << machine->arch << ")";
    else
      llvm::consumeError(machine.takeError());
    os << '\n';
  }
  for (const KnownArchitecture &known : knownArchitectures())
    os << "nvidia:" << known.arch << " = " << known.machine << '\n';
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "Print what Pruner knows about a device\n");
  if (list) {
    printList(llvm::outs());
    return 0;
  }
  llvm::Expected<Machine> machine = parseTarget(target);
  if (!machine) {
    llvm::WithColor::error(llvm::errs(), "pruner-machine")
        << llvm::toString(machine.takeError()) << '\n';
    return 1;
  }
  if (!output.empty()) {
    if (llvm::Error error = writeMachine(*machine, output)) {
      llvm::WithColor::error(llvm::errs(), "pruner-machine")
          << llvm::toString(std::move(error)) << '\n';
      return 1;
    }
  } else if (onlyKey) {
    llvm::outs() << machine->key() << '\n';
  } else if (asJson) {
    printMachineJson(*machine, llvm::outs());
  } else {
    printMachine(*machine, llvm::outs());
  }
  return 0;
}
