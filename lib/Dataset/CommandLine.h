//===- CommandLine.h - options of the dataset commands ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_COMMANDLINE_H
#define PRUNER_LIB_DATASET_COMMANDLINE_H

#include "pruner/Dataset/DatasetView.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>

namespace pruner {

/// The arguments after a command: `--name=value`, `--name`, `-o FILE` and file
/// names.
struct CommandLine {
  std::map<std::string, std::string> options;
  llvm::SmallVector<llvm::StringRef> files;

  /// Fails on an option that is not in `known`.
  static llvm::Expected<CommandLine>
  parse(llvm::ArrayRef<llvm::StringRef> words,
        llvm::ArrayRef<llvm::StringRef> known);
  llvm::StringRef option(const char *name) const;
  bool has(const char *name) const { return options.count(name); }
};

/// Prints the bad lines of a file, up to a limit. Returns true if there are
/// none.
bool reportBadLines(llvm::StringRef file, llvm::ArrayRef<BadLine> bad);
/// Prints the bad lines of all files.
bool reportBadLines(const DatasetView &view);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_COMMANDLINE_H
