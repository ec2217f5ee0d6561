//===- PythonProgram.h - the parts of Pruner in Python ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNER_PYTHONPROGRAM_H
#define PRUNER_TOOLS_PRUNER_PYTHONPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

/// Runs `python -m <module> <arguments>` and returns its exit code. The
/// interpreter is $PRUNER_PYTHON, or else python3 in PATH. A Python that has no
/// package `pruner` uses the one that was installed or built with this program;
/// the current directory is never searched (from Python 3.11 on). Fails if
/// there is no interpreter, if it lacks NumPy, or if a signal ends it.
llvm::Expected<int> runPython(llvm::StringRef module,
                              llvm::ArrayRef<std::string> arguments);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_PYTHONPROGRAM_H
