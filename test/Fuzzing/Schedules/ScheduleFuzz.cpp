//===- ScheduleFuzz.cpp - test random schedules of tasks ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Schedules/ScheduleFuzz.h"

#include "Family.h"
#include "Forked.h"
#include "Fuzzing/Schedules/Differential.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/KnownMachines.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

namespace {

/// The progress of a child, which its parent reads after it died.
struct Progress {
  uint64_t current;
  FuzzReport report;
  char what[64];
  char family[64];
  /// Set by a signal in either process.
  volatile sig_atomic_t stop;
};

} // namespace

static StringRef targetName(FuzzOptions::Target target) {
  switch (target) {
  case FuzzOptions::Target::Cpu:
    return "cpu";
  case FuzzOptions::Target::Gpu:
    return "gpu";
  case FuzzOptions::Target::Ptx:
    return "ptx";
  case FuzzOptions::Target::Device:
    return "device";
  }
  llvm_unreachable("no such target");
}

/// The exit code of a child that lost the device; another child continues.
static constexpr int deviceLost = 3;

static void writeCase(raw_ostream &log, uint64_t n, StringRef family,
                      StringRef status, bool exact, const Twine &reason) {
  json::Object line{{"case", int64_t(n)},
                    {"family", json::fixUTF8(family)},
                    {"status", status},
                    {"exact", exact}};
  if (std::string text = reason.str(); !text.empty())
    line["reason"] = json::fixUTF8(text);
  log << json::Value(std::move(line)) << "\n";
}

/// The machine of a task; checked before.
static Machine chipOf(const FuzzOptions &options, uint64_t taskNumber) {
  SmallVector<StringRef> chips;
  StringRef(options.chip).split(chips, ',');
  return cantFail(knownMachine(chips[taskNumber % chips.size()]));
}

/// The command that runs case `n` alone.
static std::string repeat(const FuzzOptions &options, uint64_t n) {
  std::string chip = options.target == FuzzOptions::Target::Device ||
                             options.target == FuzzOptions::Target::Ptx
                         ? " --chip=" + options.chip
                         : std::string();
  return formatv(
      "  repeat with: pruner-fuzz schedules --target={0}{4} --seed={1} "
      "--first={2} --count=1 --schedules-per-task={3}{5} --dump\n",
      targetName(options.target), options.seed, n, options.schedulesPerTask,
      chip,
      options.joined        ? " --joined"
      : options.tensorCores ? " --tensor-cores"
                            : "");
}

namespace {

class Child {
public:
  Child(const FuzzOptions &options, Progress &progress, raw_ostream &log)
      : options(options), progress(progress), log(log) {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
  }

  void run(uint64_t first, uint64_t end) {
    for (uint64_t n = first; n < end && !progress.stop; ++n) {
      progress.current = n;
      limitTime(options.timeout);
      runCase(n);
      log.flush();
    }
  }

private:
  template <size_t N> static void copy(char (&to)[N], StringRef from) {
    size_t size = std::min(from.size(), N - 1);
    std::memcpy(to, from.data(), size);
    to[size] = 0;
  }
  void say(StringRef what) { copy(progress.what, what); }

  void fail(uint64_t n, const Twine &what) {
    ++progress.report.wrong;
    if (options.json)
      return writeCase(log, n, progress.family, "wrong",
                       task && task->isExact(),
                       what + "\n" + repeat(options, n));
    log << "WRONG " << targetName(options.target) << " " << what << "\n"
        << repeat(options, n);
  }

  void pass(uint64_t n, StringRef described) {
    if (options.json)
      writeCase(log, n, progress.family, "right", task->isExact(), "");
    else if (options.verbose)
      log << "right " << n << " " << described << "\n";
  }

  void skip(uint64_t n, const Twine &why) {
    ++progress.report.skipped;
    if (options.json)
      writeCase(log, n, progress.family, "skipped", false, why);
    else
      log << "skipped " << n << ": " << why << "\n";
  }

  /// Runs the case on the device; exits the process if the device is lost.
  void runOnDevice(uint64_t n, const Schedule &schedule,
                   const std::string &described) {
    auto verdict = task->checkOnDevice(schedule, CodeTarget::of(machine));
    if (!verdict.skipped.empty())
      skip(n, verdict.skipped);
    else if (!verdict.wrong.empty())
      fail(n, described + ": " + verdict.wrong);
    else
      pass(n, described);
    progress.report.exact += verdict.skipped.empty() && task->isExact();
    if (!verdict.lost)
      return;
    log.flush();
    _exit(deviceLost);
  }

  void runCase(uint64_t n) {
    ++progress.report.ran;
    uint64_t number = n / options.schedulesPerTask;
    if (!task || number != taskNumber) {
      say("making the reference");
      copy(progress.family, "reference");
      taskNumber = number;
      schedules.reset();
      Random random = Random(options.seed).fork(2 * number);
      if (isGpu())
        machine = hasChip() ? chipOf(options, number)
                            : cantFail(knownMachine("sm_80"));
      text = options.joined        ? randomJoinedTask(random)
             : options.tensorCores ? randomWarpTask(machine, random)
                                   : randomTask(random);
      auto made = DifferentialTask::create(*context, text, int64_t(number));
      if (!made) {
        task.reset();
        fail(n, "no reference: " + toString(made.takeError()) + "\n" + text);
        return;
      }
      task = std::move(*made);
      if (!isGpu())
        machine = anyCpu(16 << random.uniform(3));
      schedules.emplace(task->desc(), machine);
    }
    Random random = Random(options.seed).fork(2 * n + 1);
    Schedule schedule = options.tensorCores ? schedules->drawForWarps(random)
                                            : schedules->draw(random);
    // The emulator has no tensor cores.
    while (options.target == FuzzOptions::Target::Gpu &&
           schedule.instruction != 0)
      schedule = schedules->draw(random);
    if (schedule.instruction && isGpu())
      ++progress.report.ofWarps;
    copy(progress.family, familyOf(task->desc(), schedule));
    DifferentialOptions lowering;
    std::string described;
    raw_string_ostream os(described);
    if (!isGpu()) {
      unsigned threads[] = {1, 1, 1, 2, 3};
      lowering.threads = threads[random.uniform(5)];
      lowering.alignment = random.uniform(2) ? 64 : 0;
      os << "threads " << lowering.threads << " alignment "
         << lowering.alignment << " ";
    }
    if (isGpu() && !onDevice()) {
      // All devices can copy through registers.
      lowering.asyncCopies =
          machine.copiesAsynchronously() && random.uniform(4) != 0;
      if (schedule.pipeline > 1 && !lowering.asyncCopies)
        os << "through registers ";
    }
    if (isPtx())
      lowering.ptxChip = CodeTarget::of(machine).chip();
    if (options.tensorCores)
      os << machine.arch << " ";
    os << ScheduleAttr::get(context.get(), schedule);
    if (options.dump)
      log << "// " << described << "\n" << task->withSchedule(schedule);
    if (auto broken = checkScheduleShape(task->desc(), schedule)) {
      fail(n, described + ": the draw breaks " + broken->message);
      return;
    }
    say("compiling or running");
    if (onDevice())
      return runOnDevice(n, schedule, described);
    auto wrong = task->check(schedule, lowering);
    progress.report.exact += task->isExact();
    if (wrong)
      fail(n, described + ": " + *wrong);
    else
      pass(n, described);
  }

  bool isGpu() const { return options.target != FuzzOptions::Target::Cpu; }
  bool isPtx() const { return options.target == FuzzOptions::Target::Ptx; }
  bool hasChip() const { return isPtx() || onDevice(); }
  bool onDevice() const {
    return options.target == FuzzOptions::Target::Device;
  }

  const FuzzOptions &options;
  Progress &progress;
  raw_ostream &log;
  std::unique_ptr<mlir::MLIRContext> context;
  uint64_t taskNumber = 0;
  std::string text;
  std::unique_ptr<DifferentialTask> task;
  Machine machine;
  std::optional<ScheduleDraw> schedules;
};

} // namespace

FuzzReport pruner::runFuzz(const FuzzOptions &options, raw_ostream &log) {
  FuzzReport failure;
  failure.wrong = 1;
  void *shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || options.schedulesPerTask == 0) {
    log << "cannot start: no shared memory, or no schedules per task\n";
    return failure;
  }
  for (StringRef chip : split(options.chip, ","))
    if (auto machine = knownMachine(chip); !machine || !machine->isGpu()) {
      log << "cannot start: "
          << (machine ? "'" + chip.str() + "' is not a GPU"
                      : toString(machine.takeError()))
          << "\n";
      return failure;
    }
  auto *progress = new (shared) Progress();
  std::optional<StopOnSignals> signals(std::in_place, progress->stop);
  uint64_t next = options.first, end = options.first + options.count;
  while (next < end && !progress->stop) {
    // A child per 20 tasks, because contexts grow with the types that they have
    // seen.
    uint64_t batch = uint64_t(options.schedulesPerTask) * 20;
    uint64_t stop = std::min(end, (next / batch + 1) * batch);
    log.flush();
    std::optional<int> status = runForked([&] {
      Child(options, *progress, log).run(next, stop);
      log.flush();
    });
    if (!status) {
      log << "cannot fork: " << std::strerror(errno) << "\n";
      return failure;
    }
    next = stop;
    if (WIFEXITED(*status) && WEXITSTATUS(*status) == deviceLost) {
      next = progress->current + 1;
      continue;
    }
    if (*status != 0) {
      next = progress->current + 1;
      ++progress->report.crashed;
      ++progress->report.wrong;
      const char *how = describeEnd(*status);
      if (options.json)
        writeCase(log, progress->current, progress->family, "crashed", false,
                  Twine(how) + " while " + progress->what + "\n" +
                      repeat(options, progress->current));
      else
        log << "WRONG " << targetName(options.target) << " " << how << " while "
            << progress->what << "\n"
            << repeat(options, progress->current);
    }
  }
  FuzzReport report = progress->report;
  report.interrupted = progress->stop && report.ran < options.count;
  signals.reset();
  munmap(shared, sizeof(Progress));
  return report;
}
