//===- NamedFiles.h - the files of a command line ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_NAMEDFILES_H
#define PRUNER_SUPPORT_NAMEDFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pruner {

/// A file that a program reads or writes. `what` names its purpose: "header".
/// An empty path, and "-" for a standard stream, do not name a file.
struct NamedFile {
  llvm::StringRef what;
  std::string path;
};

/// An error if two of the files are the same, so that a result would replace
/// another one or an input: "the output 'a' is the input". Empty if all files
/// differ.
std::string findOverwrite(llvm::ArrayRef<NamedFile> files);

} // namespace pruner

#endif // PRUNER_SUPPORT_NAMEDFILES_H
