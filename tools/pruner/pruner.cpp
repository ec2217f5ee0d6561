//===- pruner.cpp - work with records, datasets and models ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program for everything around tuning that reads or writes files. A link
// named `pruner-<command>` runs that command, because earlier versions had one
// program per command.

#include "ExplainCommand.h"
#include "pruner/Dataset/DatasetTool.h"
#include "pruner/Dataset/ModelTool.h"
#include "pruner/Record/DatabaseTool.h"
#include "pruner/TaskRecords/RecordJudge.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

static int runDatabaseCommand(int argc, char **argv) {
  RecordJudge judge;
  return prunerDbMain(argc, argv, judge);
}

namespace {
struct Command {
  StringRef name, what;
  int (*run)(int, char **);
};
} // namespace

static const Command commands[] = {
    {"db", "Inspect tuning databases and move their records",
     runDatabaseCommand},
    {"explain", "Explain the schedules of tasks from a tuning database",
     prunerExplainMain},
    {"dataset", "Import measured schedules into datasets and describe them",
     prunerDatasetMain},
    {"model", "Train and evaluate models that score schedules",
     prunerModelMain},
};

static const Command *findCommand(StringRef name) {
  for (const Command &command : commands)
    if (command.name == name)
      return &command;
  return nullptr;
}

static void printUsage(raw_ostream &os) {
  os << "pruner: work with records, datasets and models\n\n"
        "USAGE: pruner <command> [arguments]\n\nCOMMANDS:\n";
  for (const Command &command : commands)
    os << formatv("  {0,-8} {1}\n", command.name, command.what);
  os << "\n'pruner <command> --help' describes a command. pruner-opt tunes, "
        "pruner-translate compiles.\n";
}

int main(int argc, char **argv) {
  StringRef program = argc > 0 ? sys::path::filename(argv[0]) : "";
  if (program.consume_front("pruner-"))
    if (const Command *command = findCommand(program))
      return command->run(argc, argv);
  StringRef name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    printUsage(outs());
    return 0;
  }
  if (const Command *command = findCommand(name)) {
    // Option parsers name the program in their messages.
    std::string called = ("pruner " + name).str();
    argv[1] = called.data();
    return command->run(argc - 1, argv + 1);
  }
  if (name.empty())
    errs() << "pruner: error: expected a command; see 'pruner --help'\n";
  else
    errs() << "pruner: error: unknown command '" << name
           << "'; see 'pruner --help'\n";
  return 2;
}
