//===- ExplainCommand.h - the command `pruner explain` ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNER_EXPLAINCOMMAND_H
#define PRUNER_TOOLS_PRUNER_EXPLAINCOMMAND_H

namespace pruner {

/// Runs `pruner explain`; see its --help. Returns the exit code.
int prunerExplainMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_EXPLAINCOMMAND_H
