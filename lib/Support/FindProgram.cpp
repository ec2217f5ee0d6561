//===- FindProgram.cpp - look up programs in PATH -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/FindProgram.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;
using namespace pruner;

std::optional<std::string> pruner::findProgram(StringRef name) {
  if (name.contains('/')) {
    if (sys::fs::can_execute(name))
      return name.str();
    return std::nullopt;
  }
  const char *path = std::getenv("PATH");
  SmallVector<StringRef> entries, absolute;
  StringRef(path ? path : "").split(entries, ':');
  for (StringRef entry : entries)
    if (sys::path::is_absolute(entry))
      absolute.push_back(entry);
  // Without any directory, LLVM would search all of PATH.
  if (absolute.empty() || name.empty())
    return std::nullopt;
  if (auto found = sys::findProgramByName(name, absolute))
    return *found;
  return std::nullopt;
}
