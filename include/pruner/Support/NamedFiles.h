//===- NamedFiles.h - the files of a command line ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_NAMEDFILES_H
#define PRUNER_SUPPORT_NAMEDFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pruner {

/// A file that a program reads or writes. `what` is the word for it: "header".
/// An empty path and "-", which means a standard stream, are no file.
struct NamedFile {
  llvm::StringRef what;
  std::string path;
};

/// What is wrong if two of the files are one, so that a result would replace
/// another or an input: "the output 'a' is the input". Empty if nothing is.
std::string findOverwrite(llvm::ArrayRef<NamedFile> files);

} // namespace pruner

#endif // PRUNER_SUPPORT_NAMEDFILES_H
