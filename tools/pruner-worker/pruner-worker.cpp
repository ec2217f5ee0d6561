//===- pruner-worker.cpp - compiles and runs candidates -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Worker.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

int main(int argc, char **argv) {
  cl::OptionCategory category("pruner-worker options");
  cl::opt<std::string> cacheDir(
      "reference-cache", cl::value_desc("directory"),
      cl::desc("Keep reference results here for other workers"),
      cl::cat(category));
  cl::opt<std::string> inject(
      "inject", cl::value_desc("fault@stage:ids,..."),
      cl::desc("Fail on purpose, to test those who use workers"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles and runs candidates for a tuner: requests on stdin, replies "
      "on\n"
      "stdout, one JSON object a line (docs/WorkerProtocol.md)\n");
  pruner::WorkerOptions options;
  options.cacheDir = cacheDir;
  auto faults = pruner::FaultPlan::parse(inject);
  if (!faults) {
    errs() << "pruner-worker: " << toString(faults.takeError()) << "\n";
    return 2;
  }
  options.faults = std::move(*faults);
  return pruner::workerMain(options);
}
