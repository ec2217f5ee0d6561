//===- Mutants.cpp - test verification with wrong kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Driver/Driver.h"
#include "Fuzzing/Mutation/MutationTest.h"

#include "pruner/Support/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

/// Ends the program if one of `names` is not in `known`.
static void checkNames(ArrayRef<std::string> names, ArrayRef<std::string> known,
                       StringRef option) {
  for (const std::string &name : names)
    if (!is_contained(known, name)) {
      errs() << formatv("pruner-fuzz mutants: --{0}: unknown name '{1}'; "
                        "expected one of {2}\n",
                        option, name, join(known, ", "));
      exit(kExitUsage);
    }
}

static std::vector<std::string> kindNames() {
  std::vector<std::string> names;
  for (unsigned kind = 0; kind < numMutationKinds; ++kind)
    names.push_back(nameOf(MutationKind(kind)).str());
  return names;
}

int pruner::fuzzMutants(int argc, char **argv) {
  cl::OptionCategory category("Options of pruner-fuzz mutants");
  MutationTestOptions options;
  auto number = [&](const char *name, auto &value, const char *what) {
    using T = std::decay_t<decltype(value)>;
    return std::make_unique<cl::opt<T, true>>(
        StringRef(name), cl::desc(what), cl::location(value), cl::init(value),
        cl::cat(category));
  };
  auto seed = number("seed", options.seed, "Seed of tasks and mutants");
  auto first = number("first", options.first, "Number of the first mutant");
  auto count = number("count", options.count, "Mutants of each target");
  auto perTask = number("mutants-per-task", options.mutantsPerTask,
                        "Mutants that share a task");
  auto schedules = number("schedules", options.schedules,
                          "Correct kernels per task, which determine how far "
                          "apart correct results may be");
  auto timeout = number("timeout", options.timeout, "Seconds per kernel");
  auto loosen = number("loosen", options.loosen,
                       "Factor for the bounds of the check, to see it fail");
  auto verbose = number("verbose", options.verbose, "Print every mutant");
  auto dump =
      number("dump", options.dump, "Print tasks, and kernels with their fault");
  cl::list<std::string> tasks("tasks", cl::CommaSeparated,
                              cl::desc("Kinds of tasks (default: all)"),
                              cl::cat(category));
  cl::list<std::string> kinds("kinds", cl::CommaSeparated,
                              cl::desc("Kinds of mutations (default: all)"),
                              cl::cat(category));
  cl::list<std::string> targets("target", cl::CommaSeparated,
                                cl::desc("cpu, gpu (not on a device) or both "
                                         "(default: cpu)"),
                                cl::cat(category));
  cl::HideUnrelatedOptions(category);
  parseCommandLine(
      argc, argv,
      "Runs kernels with one fault each and counts how many of them the check\n"
      "of candidates rejects. Tables go to stdout. Accepted faults go to "
      "stderr,\n"
      "with the command that repeats them. Exits with 1 if a wrong kernel was\n"
      "accepted or a correct one rejected.\n");
  options.tasks.assign(tasks.begin(), tasks.end());
  options.kinds.assign(kinds.begin(), kinds.end());
  std::vector<std::string> order(targets.begin(), targets.end());
  if (order.empty())
    order.push_back("cpu");
  checkNames(options.tasks, mutationTaskNames(), "tasks");
  checkNames(options.kinds, kindNames(), "kinds");
  checkNames(order, {"cpu", "gpu"}, "target");

  // Whole tasks, so that few references are computed twice.
  const uint64_t step = 10 * uint64_t(std::max(1u, options.mutantsPerTask));
  uint64_t end = options.first + options.count;
  bool good = true;
  std::vector<MutationTestReport> totals(order.size());
  for (uint64_t next = options.first; next < end;) {
    uint64_t stop = std::min(end, (next / step + 1) * step);
    bool interrupted = false;
    for (auto [target, total] : zip(order, totals)) {
      MutationTestOptions part = options;
      part.gpu = target == "gpu";
      part.first = next;
      part.count = stop - next;
      MutationTestReport report = runMutationTest(part, errs());
      total += report;
      interrupted |= report.interrupted;
      if (interrupted) {
        errs() << formatv(
            "interrupted: --target={0} --first={1} --count={2} continues\n",
            target, report.next, end - report.next);
        break;
      }
      MutantCounts sum = total.total();
      errs() << formatv("{0}: up to mutant {1}: {2} made, {3} relevant, {4} "
                        "survived; {5} correct kernels, {6} rejected\n",
                        target, stop, sum.made, sum.relevant, sum.survivors(),
                        total.totalRight().ran, total.totalRight().rejected);
    }
    if (interrupted)
      break;
    next = stop;
  }
  for (auto [target, total] : zip(order, totals)) {
    outs() << target << ":\n";
    total.print(outs());
    outs() << "\n";
    good &= total.good();
  }
  return good ? 0 : 1;
}
