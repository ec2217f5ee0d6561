//===- ReportCommand.cpp - pruner report ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"
#include "PythonProgram.h"

#include "pruner/Support/CommandLine.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace pruner;

int pruner::prunerReportMain(int argc, char **argv) {
  auto code = runPython(
      "pruner.report",
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  if (code)
    return *code;
  llvm::WithColor::error(llvm::errs(), "pruner report")
      << llvm::toString(code.takeError()) << '\n';
  return kExitFailure;
}
