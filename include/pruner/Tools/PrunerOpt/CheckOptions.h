//===- CheckOptions.h - options of passes as text ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser of options prints errors about values to stderr and returns an
// error without text. These functions find wrong options first.

#ifndef PRUNER_TOOLS_PRUNEROPT_CHECKOPTIONS_H
#define PRUNER_TOOLS_PRUNEROPT_CHECKOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir {
class Pass;
} // namespace mlir

namespace pruner {

/// Checks the options of passes and pipelines that arguments such as
/// `--pruner-tune='trials=3'` give, before anything is read: those that do not
/// exist, and values of another kind. Errors go to stderr, with the number of
/// the argument, the pass and the nearest name. False if there were any.
bool checkPassOptions(llvm::ArrayRef<const char *> arguments);

/// Checks the files that arguments name: the output of the program, and the
/// options `db`, `output`, `out` and `trace` of passes. Two of them may not be
/// one file, except for databases. Returns an error, or "".
std::string findOverwriteInArguments(llvm::ArrayRef<const char *> arguments,
                                     llvm::StringRef output);

/// Sets the options of a pass from a text such as "trials=3 db=x". Returns an
/// error: an option that the pass does not have, with the nearest name, or a
/// value that is not a number or Boolean although the default is one. Empty if
/// the options are set.
std::string setOptions(mlir::Pass &pass, llvm::StringRef options);

/// The names of the options of a pass, without those whose default is an empty
/// list.
std::vector<std::string> optionNames(mlir::Pass &pass);

/// The first error in the options of the passes of a pipeline, such as
/// "pruner-draft{threads=1},cse", after the name of the pass; empty if there is
/// none.
std::string findWrongOptionInPipeline(llvm::StringRef pipeline);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNEROPT_CHECKOPTIONS_H
