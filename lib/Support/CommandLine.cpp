//===- CommandLine.cpp - the command lines of tools -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/CommandLine.h"
#include "pruner/Support/NearestName.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <vector>

using namespace llvm;
using namespace pruner;

void pruner::parseCommandLine(int argc, const char *const *argv,
                              StringRef overview) {
  cl::SetVersionPrinter(printVersion);
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &errs()))
    std::exit(kExitUsage);
}

static void printUsage(const CommandProgram &program, raw_ostream &os) {
  os << formatv("{0}: {1}\n\nUSAGE: {0} <command> [arguments]\n\nCOMMANDS:\n",
                program.name, program.summary);
  size_t width = 0;
  for (const Command &command : program.commands)
    width = std::max(width, command.name.size());
  for (const Command &command : program.commands)
    os << "  " << left_justify(command.name, width + 2) << command.summary
       << '\n';
  os << formatv("\n'{0} help <command>' describes a command.\n", program.name);
}

static int run(const CommandProgram &program, const Command &command, int argc,
               char **argv, bool isLink) {
  if (!command.run || (argc > 1 && StringRef(argv[1]) == "--version")) {
    printVersion(outs());
    return finishStdout(program.name);
  }
  std::string called = (program.name + " " + command.name).str();
  std::vector<char *> arguments(argv, argv + argc);
  if (!isLink)
    arguments[0] = called.data();
  arguments.push_back(nullptr);
  return command.run(argc, arguments.data());
}

int pruner::runCommand(const CommandProgram &program, int argc, char **argv) {
  prepareProgram();
  auto find = [&](StringRef name) {
    return find_if(program.commands,
                   [&](const Command &each) { return each.name == name; });
  };
  StringRef link = argc > 0 ? sys::path::filename(argv[0]) : "";
  if (link.consume_front(program.name) && link.consume_front("-"))
    if (const auto *command = find(link); command != program.commands.end())
      return run(program, *command, argc, argv, /*isLink=*/true);
  if (argc < 2) {
    printUsage(program, errs());
    return kExitUsage;
  }
  StringRef name = argv[1];
  std::string helpOption = "--help";
  std::vector<char *> arguments(argv + 1, argv + argc);
  if (name == "help" && argc > 2) {
    name = argv[2];
    arguments = {argv[2], helpOption.data()};
  }
  if (name == "help" || name == "--help" || name == "-h") {
    printUsage(program, outs());
    return finishStdout(program.name);
  }
  if (name == "version" || name == "--version") {
    printVersion(outs());
    return finishStdout(program.name);
  }
  if (const auto *command = find(name); command != program.commands.end())
    return run(program, *command, arguments.size(), arguments.data(),
               /*isLink=*/false);
  return failUsage(program.name, "unknown command '" + name + "'" +
                                     didYouMean(name, program.commands,
                                                [](const Command &each) {
                                                  return each.name;
                                                }));
}
