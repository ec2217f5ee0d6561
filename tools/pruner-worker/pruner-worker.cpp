//===- pruner-worker.cpp - compile and run candidates ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/Protocol.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/Guard.h"
#include "pruner/Worker/Worker.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

/// Handles the modes other than a plain worker that a tuner starts
/// (Support/Guard.h). Called first, while there is one thread and little
/// memory.
static void serveTuner(int &argc, char **&argv) {
  StringRef mode = argc > 1 ? argv[1] : "";
  if (mode == pruner::workerKeepFlag && argc == 3) {
    pruner::keepUntilOwnerDies(argv[2]);
    std::_Exit(0);
  }
  if (mode == pruner::workerGuardedCommandFlag && argc == 3) {
    pruner::becomeGuarded();
    execl("/bin/sh", "sh", "-c", argv[2], static_cast<char *>(nullptr));
    perror("cannot start /bin/sh");
    std::_Exit(127);
  }
  if (mode != pruner::workerGuardedFlag)
    return;
  pruner::becomeGuarded();
  argv[1] = argv[0];
  ++argv;
  --argc;
}

int main(int argc, char **argv) {
  serveTuner(argc, argv);
  cl::OptionCategory category("pruner-worker options");
  cl::opt<std::string> cacheDir(
      "reference-cache", cl::value_desc("directory"),
      cl::desc("Share reference results with other workers here"),
      cl::cat(category));
  cl::opt<size_t> referenceBytes(
      "reference-bytes", cl::init(pruner::defaultReferenceBytes()),
      cl::desc("Bytes of memory for references in addition to the last one"),
      cl::cat(category));
  cl::opt<std::string> inject(
      "inject", cl::value_desc("fault@stage:ids,..."),
      cl::desc("Fail on purpose, to test the users of workers"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  pruner::parseCommandLine(
      argc, argv,
      "Compile and run candidates for a tuner: requests on stdin, replies on\n"
      "stdout, one JSON object per line (docs/reference/WorkerProtocol.md)\n");
  pruner::WorkerOptions options;
  options.cacheDir = cacheDir;
  options.referenceBytes = referenceBytes;
  auto faults = pruner::FaultPlan::parse(inject);
  if (!faults) {
    errs() << "pruner-worker: " << toString(faults.takeError()) << "\n";
    return 2;
  }
  options.faults = std::move(*faults);
  return pruner::workerMain(options);
}
