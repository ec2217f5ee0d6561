//===- NamedFiles.cpp - the files of a command line -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/NamedFiles.h"

#include "pruner/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

std::string pruner::findOverwrite(ArrayRef<NamedFile> files) {
  auto isFile = [](const NamedFile &file) {
    return !file.path.empty() && file.path != "-";
  };
  for (auto [n, file] : enumerate(files))
    for (const NamedFile &other : files.take_front(n))
      if (isFile(file) && isFile(other) && isSameFile(file.path, other.path))
        return ("the " + file.what + " '" + file.path + "' is the " +
                other.what)
            .str();
  return "";
}
