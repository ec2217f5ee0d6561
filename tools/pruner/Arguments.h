//===- Arguments.h - options and files of commands --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `pruner tune` and `pruner compile` have options of their own, and those of
// the pass pruner-tune in plain form: `--trials=200` instead of
// `--pruner-tune='trials=200'`.

#ifndef PRUNER_TOOLS_PRUNER_ARGUMENTS_H
#define PRUNER_TOOLS_PRUNER_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class Pass;
} // namespace mlir

namespace pruner {

struct Arguments {
  std::vector<std::string> files;
  /// The options of the command that were given, by name.
  llvm::StringMap<std::string> own;
  /// The options of the pass, as text for the pass, and their names.
  std::string ofPass;
  std::vector<std::string> namesOfPass;

  /// Parses `--name=value`, `-name value` and files. `own` are the options of
  /// the command; each needs a value. Options of `pass`, which may be null, are
  /// accepted unless they are `hidden`. No option may be given twice. Errors
  /// suggest the nearest name.
  static llvm::Expected<Arguments>
  parse(llvm::ArrayRef<const char *> words, llvm::ArrayRef<llvm::StringRef> own,
        mlir::Pass *pass = nullptr,
        llvm::ArrayRef<llvm::StringRef> hidden = {});

  bool has(llvm::StringRef name) const { return own.contains(name); }
  /// Returns the value, or `otherwise`.
  std::string get(llvm::StringRef name, llvm::StringRef otherwise = "") const;
};

/// The text `name=value` for the options of a pass, with quotes where needed.
std::string optionText(llvm::StringRef name, llvm::StringRef value);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_ARGUMENTS_H
