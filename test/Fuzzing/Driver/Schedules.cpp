//===- Schedules.cpp - test random schedules against plain loops ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Driver/Driver.h"
#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "pruner/Support/CommandLine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

int pruner::fuzzSchedules(int argc, char **argv) {
  cl::OptionCategory category("Options of pruner-fuzz schedules");
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
  auto joined = number("joined", options.joined,
                       "Draw chains between two products only (cpu)");
  auto tensorCores =
      number("tensor-cores", options.tensorCores,
             "Draw tasks and schedules for tensor cores only (ptx and device)");
  auto timeout = number("timeout", options.timeout, "Seconds per case");
  auto verbose = number("verbose", options.verbose, "Print every case");
  auto dump = number("dump", options.dump, "Print tasks with their schedules");
  auto chip =
      number("chip", options.chip,
             "Architectures of ptx and device kernels, such as sm_90a,sm_80");
  auto json =
      number("json", options.json, "Print one line of JSON per case to stdout");
  using Target = pruner::FuzzOptions::Target;
  cl::list<Target> targets(
      "target", cl::desc("What runs the schedules (default: cpu)"),
      cl::values(clEnumValN(Target::Cpu, "cpu", "Code for this CPU"),
                 clEnumValN(Target::Gpu, "gpu", "GPU kernels, emulated"),
                 clEnumValN(Target::Ptx, "ptx",
                            "GPU kernels as PTX in the PTX machine"),
                 clEnumValN(Target::Device, "device",
                            "GPU kernels on the first CUDA device")),
      cl::CommaSeparated, cl::cat(category));
  cl::HideUnrelatedOptions(category);
  pruner::parseCommandLine(
      argc, argv,
      "Random schedules of random tasks, compared with the task as plain "
      "loops.\n"
      "--count is the number of cases of each target. Totals are printed "
      "every\n"
      "thousand cases and when interrupted, with the --first that continues.\n"
      "Exits with 1 if any case was wrong.\n");
  std::vector<Target> order(targets.begin(), targets.end());
  if (order.empty())
    order.push_back(Target::Cpu);

  if (options.joined && order != std::vector{Target::Cpu}) {
    errs() << "error: --joined expects --target=cpu\n";
    return 1;
  }
  auto runsMatrices = [](Target target) {
    return target == Target::Ptx || target == Target::Device;
  };
  if (options.tensorCores && !llvm::all_of(order, runsMatrices)) {
    errs() << "error: --tensor-cores expects --target=ptx or device\n";
    return 1;
  }

  std::vector<pruner::FuzzReport> totals(order.size());
  auto print = [&] {
    for (auto [target, total] : zip(order, totals))
      errs() << formatv(
          "{0}: {1} schedules ran ({2} compared bit for bit), {3} wrong, {4} "
          "of them crashed{5}{6}\n",
          target == Target::Gpu      ? "gpu"
          : target == Target::Ptx    ? "ptx"
          : target == Target::Device ? "device"
                                     : "cpu",
          total.ran, total.exact, total.wrong, total.crashed,
          total.skipped ? formatv(", {0} skipped", total.skipped).str()
                        : std::string(),
          options.tensorCores
              ? formatv(", {0} with tensor cores", total.ofWarps).str()
              : std::string());
  };
  // Whole tasks, so that few references are computed twice.
  const uint64_t step = 1000;
  uint64_t end = options.first + options.count;
  bool wrong = false, interrupted = false;
  for (uint64_t next = options.first; next < end && !interrupted;) {
    uint64_t stop = std::min(end, (next / step + 1) * step);
    for (auto [target, total] : zip(order, totals)) {
      pruner::FuzzOptions part = options;
      part.target = target;
      part.first = next;
      part.count = stop - next;
      pruner::FuzzReport report =
          pruner::runFuzz(part, options.json ? outs() : errs());
      total.ran += report.ran;
      total.exact += report.exact;
      total.wrong += report.wrong;
      total.crashed += report.crashed;
      total.skipped += report.skipped;
      total.ofWarps += report.ofWarps;
      wrong |= report.wrong != 0;
      interrupted |= report.interrupted;
      if (interrupted)
        break;
    }
    if (interrupted)
      errs() << formatv("interrupted: --first={0} --count={1} continues\n",
                        next, end - next);
    else if (stop < end)
      errs() << formatv("up to case {0}:\n", stop);
    print();
    next = stop;
  }
  return wrong;
}
