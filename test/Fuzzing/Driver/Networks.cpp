//===- Networks.cpp - test random networks end to end ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Driver/Driver.h"
#include "Fuzzing/Networks/NetworkFuzz.h"

#include "pruner/Support/CommandLine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

int pruner::fuzzNetworks(int argc, char **argv) {
  cl::OptionCategory category("Options of pruner-fuzz networks");
  pruner::NetworkFuzzOptions options;
  auto option = [&](const char *name, auto &value, const char *what) {
    using T = std::decay_t<decltype(value)>;
    return std::make_unique<cl::opt<T, true>>(
        StringRef(name), cl::desc(what), cl::location(value), cl::init(value),
        cl::cat(category));
  };
  auto seed = option("seed", options.seed, "Seed of networks and schedules");
  auto first = option("first", options.first, "Number of the first case");
  auto count = option("count", options.count, "Cases to run");
  auto timeout = option("timeout", options.timeout, "Seconds per case");
  auto verbose = option("verbose", options.verbose, "Print every case");
  auto dump = option("dump", options.dump, "Print every network");
  auto directory = option("failures", options.directory,
                          "Directory for networks that went wrong");
  auto chip = option("chip", options.chip,
                     "Make libraries that run on a GPU of this chip");
  auto accuracy = option("accuracy", options.accuracy,
                         "Relaxations to apply, wherever they fit");
  auto dynamic = option("dynamic", options.dynamic,
                        "Draw networks with a dimension of several sizes");
  cl::list<std::string> without(
      "without", cl::desc("Operations to exclude: convolution,gather,math.sin"),
      cl::CommaSeparated, cl::cat(category));
  cl::opt<std::string> check(
      "check",
      cl::desc("Run this network with the inputs of case --first, "
               "--count times with other schedules"),
      cl::cat(category));
  cl::opt<std::string> reduce(
      "reduce",
      cl::desc("Print a smaller network that goes wrong in the same "
               "way as this one"),
      cl::cat(category));
  auto wrongIf = option("wrong-if", options.wrongIf,
                        "Treat networks with this text as wrong");
  cl::HideUnrelatedOptions(category);
  pruner::parseCommandLine(
      argc, argv,
      "Normalizes random networks, extracts their tasks, compiles them with\n"
      "random legal schedules and compares the results of the libraries with\n"
      "an interpreter.\n"
      "Totals are printed every hundred cases and when interrupted, with the\n"
      "--first that continues. Exits with 1 if any case was wrong, with 2 if\n"
      "its own executable was replaced before the end.\n");
  options.without.insert(without.begin(), without.end());
  if (!reduce.empty())
    return pruner::reduceNetworkFile(options, reduce, outs(), errs()) ? 0 : 1;

  pruner::NetworkFuzzReport total;
  auto print = [&] {
    errs() << formatv(
        "{0} networks, {1} wrong, {2} of them crashed, {3} skipped; {4} of {5} "
        "tasks scheduled; {6} elements compared, {7:P} of them undecided\n",
        total.ran, total.wrong, total.crashed, total.skipped, total.scheduled,
        total.tasks, total.elements,
        total.elements ? double(total.undecided) / double(total.elements)
                       : 0.0);
  };
  auto add = [&](const pruner::NetworkFuzzReport &report) {
    total.ran += report.ran;
    total.skipped += report.skipped;
    total.wrong += report.wrong;
    total.crashed += report.crashed;
    total.tasks += report.tasks;
    total.scheduled += report.scheduled;
    total.elements += report.elements;
    total.undecided += report.undecided;
    total.interrupted |= report.interrupted;
    total.replaced |= report.replaced;
  };
  const char *replaced = "the executable was replaced while it ran";
  auto code = [&] { return total.wrong ? 1 : total.replaced ? 2 : 0; };
  if (!check.empty()) {
    add(pruner::checkNetworkFile(options, check, errs()));
    if (total.replaced)
      errs() << replaced << ": run it again\n";
    print();
    return code();
  }
  const uint64_t step = 100;
  uint64_t end = options.first + options.count;
  for (uint64_t next = options.first;
       next < end && !total.interrupted && !total.replaced;) {
    pruner::NetworkFuzzOptions part = options;
    part.first = next;
    part.count = std::min(end, (next / step + 1) * step) - next;
    uint64_t before = total.ran;
    add(pruner::runNetworkFuzz(part, errs()));
    bool ended = total.interrupted || total.replaced;
    next += ended ? total.ran - before : part.count;
    if (ended)
      errs() << formatv("{0}: --seed={1} --first={2} --count={3} continues\n",
                        total.replaced ? replaced : "interrupted", options.seed,
                        next, end - next);
    else if (next < end)
      errs() << formatv("up to case {0}:\n", next);
    print();
  }
  return code();
}
