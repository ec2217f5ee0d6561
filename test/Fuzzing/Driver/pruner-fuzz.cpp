//===- pruner-fuzz.cpp - random tests of the compiler ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Driver/Driver.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
struct Command {
  StringRef name, what;
  int (*run)(int, char **);
};
} // namespace

static const Command commands[] = {
    {"schedules", "Random schedules of random tasks, compared with plain loops",
     pruner::fuzzSchedules},
    {"networks", "Random networks, compared with an interpreter",
     pruner::fuzzNetworks},
    {"mutants", "Kernels with one fault each, which verification must reject",
     pruner::fuzzMutants},
};

static void printUsage(raw_ostream &os) {
  os << "USAGE: pruner-fuzz <command> [options]\n\nCOMMANDS:\n";
  for (const Command &command : commands)
    os << formatv("  {0,-10} {1}\n", command.name, command.what);
  os << "\n'pruner-fuzz <command> --help' lists the options of a command.\n";
}

int main(int argc, char **argv) {
  StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help") {
    printUsage(outs());
    return 0;
  }
  for (const Command &command : commands) {
    if (command.name != name)
      continue;
    // Messages of the option parser begin with the name of the program.
    std::string program = ("pruner-fuzz " + name).str();
    argv[1] = program.data();
    return command.run(argc - 1, argv + 1);
  }
  if (name.empty())
    errs() << "error: expected a command\n";
  else
    errs() << formatv("error: unknown command '{0}'\n", name);
  printUsage(errs());
  return 1;
}
