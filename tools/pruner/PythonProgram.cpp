//===- PythonProgram.cpp - the parts of Pruner in Python ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PythonProgram.h"

#include "pruner/Support/FindProgram.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace pruner;

static Expected<std::string> findPython() {
  const char *named = std::getenv("PRUNER_PYTHON");
  if (!named || !*named) {
    if (auto found = findProgram("python3"))
      return *found;
    return createStringError("python3 was not found in PATH; install it, or "
                             "set PRUNER_PYTHON to an interpreter");
  }
  if (auto found = findProgram(named))
    return *found;
  return createStringError("PRUNER_PYTHON: '" + Twine(named) +
                           "' was not found, or is not executable");
}

/// Lets Python find the package of this installation after all others.
static void setSearchPath() {
  ::setenv("PYTHONSAFEPATH", "1", /*overwrite=*/1);
  SmallString<128> package(sys::fs::getMainExecutable(nullptr, nullptr));
  sys::path::remove_filename(package);
  sys::path::append(package, "..", "share", "pruner", "python");
  if (!sys::fs::is_directory(package))
    return;
  const char *path = std::getenv("PYTHONPATH");
  std::string longer =
      (path && *path ? path + std::string(":") : "") + package.str().str();
  ::setenv("PYTHONPATH", longer.c_str(), /*overwrite=*/1);
}

Expected<int> pruner::runPython(StringRef module,
                                ArrayRef<std::string> arguments) {
  Expected<std::string> python = findPython();
  if (!python)
    return python.takeError();
  setSearchPath();
  // Python would end with a stack trace. All parts need NumPy.
  if (sys::ExecuteAndWait(*python, {*python, "-c", "import numpy"},
                          std::nullopt, {"", "", ""}) != 0)
    return createStringError("'" + *python +
                             "' has no package 'numpy'; install it, or set "
                             "PRUNER_PYTHON to an interpreter that has it");
  // The package imports some of the modules itself, which runpy warns of.
  SmallVector<StringRef> words = {*python, "-W", "ignore::RuntimeWarning:runpy",
                                  "-m", module};
  words.append(arguments.begin(), arguments.end());
  outs().flush();
  std::string problem;
  int code =
      sys::ExecuteAndWait(*python, words, std::nullopt, {}, 0, 0, &problem);
  if (code < 0)
    return createStringError("'" + *python + "': " + problem);
  return code;
}
