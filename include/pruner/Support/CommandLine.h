//===- CommandLine.h - the command lines of tools ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that the command lines of all tools share: `--version`, the exit
// codes, and the commands of programs such as `pruner`.

#ifndef PRUNER_SUPPORT_COMMANDLINE_H
#define PRUNER_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pruner {

/// Exit codes of all tools; 0 is success.
enum ExitCode {
  kExitFailure = 1, ///< The work failed, or was interrupted.
  kExitUsage = 2,   ///< The command line is wrong; nothing was done.
};

/// `llvm::cl::ParseCommandLineOptions` for tools: ends the program with
/// kExitUsage after an error, and `--version` prints Pruner's version, too.
void parseCommandLine(int argc, const char *const *argv,
                      llvm::StringRef overview);

/// A command of a program.
struct Command {
  llvm::StringRef name, summary;
  /// `argv[0]` is "<program> <command>", which option parsers name in messages.
  /// Null for the command "version".
  int (*run)(int argc, char **argv);
};

/// A program of which each command is a `main` of its own.
struct CommandProgram {
  llvm::StringRef name;    ///< "pruner"
  llvm::StringRef summary; ///< For the first line of the help.
  llvm::ArrayRef<Command> commands;
};

/// `main` of such a program. `<program> help [<command>]` prints help, and
/// `<program> version` and `--version` after a command print the versions. A
/// link named `<program>-<command>` runs this command. Returns the exit code.
int runCommand(const CommandProgram &program, int argc, char **argv);

} // namespace pruner

#endif // PRUNER_SUPPORT_COMMANDLINE_H
