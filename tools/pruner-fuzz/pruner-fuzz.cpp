//===- pruner-fuzz.cpp - random schedules against plain code --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Fuzz.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

int main(int argc, char **argv) {
  cl::OptionCategory category("pruner-fuzz options");
  pruner::FuzzOptions options;
  auto number = [&](const char *name, auto &value, const char *what) {
    using T = std::decay_t<decltype(value)>;
    return std::make_unique<cl::opt<T, true>>(
        StringRef(name), cl::desc(what), cl::location(value), cl::init(value),
        cl::cat(category));
  };
  auto seed = number("seed", options.seed, "Seed of tasks and schedules");
  auto first = number("first", options.first, "Number of the first case");
  auto count = number("count", options.count, "Cases to run");
  auto perTask = number("schedules-per-task", options.schedulesPerTask,
                        "Schedules that share a task and its reference");
  auto timeout = number("timeout", options.timeout, "Seconds per case");
  auto verbose = number("verbose", options.verbose, "Print every case");
  auto dump = number("dump", options.dump, "Print tasks with their schedules");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Random CPU schedules of random tasks, compared with the task as plain\n"
      "loops. Exits with 1 if any was wrong.\n");
  pruner::FuzzReport report = pruner::runFuzz(options, errs());
  errs() << formatv("{0} schedules ran ({1} compared bit for bit), {2} wrong, "
                    "{3} of them crashed\n",
                    report.ran, report.exact, report.wrong, report.crashed);
  return report.wrong != 0;
}
