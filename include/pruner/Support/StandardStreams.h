//===- StandardStreams.h - stdin, stdout and stderr of tools ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_STANDARDSTREAMS_H
#define PRUNER_SUPPORT_STANDARDSTREAMS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

namespace pruner {

/// For the start of programs. Opens /dev/null in place of each of the
/// descriptors 0 to 2 that is closed. The next file or pipe would get its
/// number otherwise, and what is printed would go there. Writing to a stdout
/// that was closed still fails; what is printed to such a stderr is lost. Lets
/// writes beyond the limit of a file (`ulimit -f`) fail instead of ending the
/// program. Ends the program with an error if the limit of its stack
/// (`ulimit -s`) is too low for a compiler.
void prepareProgram();

/// For the end of programs that print to stdout: 0, or 1 with an error of
/// `tool` if stdout cannot be written. After prepareProgram() a program
/// that ends without this call does the same at its exit.
int finishStdout(llvm::StringRef tool);

/// Reports a wrong command line of `tool` and returns kExitUsage. The message
/// ends with a hint at `--help`, unless `what` ends with a suggestion
/// (Support/NearestName.h).
int failUsage(llvm::StringRef tool, const llvm::Twine &what);

} // namespace pruner

#endif // PRUNER_SUPPORT_STANDARDSTREAMS_H
