//===- Commands.h - the commands of `pruner` --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNER_COMMANDS_H
#define PRUNER_TOOLS_PRUNER_COMMANDS_H

namespace pruner {

// Each runs a command; see its --help. Returns the exit code
// (Support/CommandLine.h).
int prunerBenchMain(int argc, char **argv);
int prunerCompileMain(int argc, char **argv);
int prunerExplainMain(int argc, char **argv);
int prunerReportMain(int argc, char **argv);
int prunerTuneMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_COMMANDS_H
