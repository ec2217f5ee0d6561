//===- CommandLine.h - what the commands on datasets share ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// The words behind a command: `--name=value`, `--name`, `-o FILE` and names of
/// files.
struct CommandLine {
  std::map<std::string, std::string> options;
  llvm::SmallVector<llvm::StringRef> files;

  /// Fails at an option that is not among `known`.
  static llvm::Expected<CommandLine>
  parse(llvm::ArrayRef<llvm::StringRef> words,
        llvm::ArrayRef<llvm::StringRef> known);
  llvm::StringRef option(const char *name) const;
  bool has(const char *name) const { return options.count(name); }
};

/// Names bad lines, the first of many. True if there are none.
bool reportBadLines(llvm::StringRef file, llvm::ArrayRef<BadLine> bad);
/// Those of all files.
bool reportBadLines(const DatasetView &view);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_COMMANDLINE_H
