//===- MutationTest.cpp - does the check refuse wrong kernels? ------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/MutationTest.h"

#include "Subject.h"
#include "Tasks.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Measure/Candidate.h"
#include "pruner/Measure/Fuzz.h"
#include "pruner/Support/Random.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

namespace {
constexpr size_t maxKinds = 24, maxTypes = 8;

/// What the processes of a run share.
struct Shared {
  volatile sig_atomic_t stop;
  uint64_t next; ///< The first mutant that was not made.
  uint64_t failedTasks;
  MutantCounts mutants[maxKinds][maxTypes][numMutationKinds];
  RightCounts right[maxKinds][maxTypes];
  Observation observation;
};
volatile sig_atomic_t *stopFlag = nullptr;

/// The first signal ends the run after its kernel, a second one at once.
class StopOnSignals {
public:
  explicit StopOnSignals(volatile sig_atomic_t &flag) {
    stopFlag = &flag;
    struct sigaction action = {};
    action.sa_handler = [](int) { *stopFlag = 1; };
    action.sa_flags = SA_RESETHAND | SA_RESTART;
    for (unsigned n = 0; n < 2; ++n)
      sigaction(signals[n], &action, &before[n]);
  }
  ~StopOnSignals() {
    for (unsigned n = 0; n < 2; ++n)
      sigaction(signals[n], &before[n], nullptr);
  }

private:
  const int signals[2] = {SIGINT, SIGTERM};
  struct sigaction before[2];
};

/// How far right kernels lie from the reference, per output and set.
struct Spread {
  double difference = 0;
  int64_t differing = 0;
};

/// One task: its right kernels, then some of its mutants.
class TaskRun {
public:
  TaskRun(const MutationTestOptions &options, Shared &shared, raw_ostream &log,
          ArrayRef<size_t> kinds, uint64_t number)
      : options(options), shared(shared), log(log), number(number),
        kind(kinds[number % kinds.size()]) {
    // Each turn through the kinds takes the next type of each.
    type = number / kinds.size() % taskKinds()[kind].types.size();
  }

  void run(uint64_t first, uint64_t end) {
    if (!prepare() || !runRight())
      return void(++shared.failedTasks);
    for (uint64_t n = first; n < end && !shared.stop; ++n) {
      runMutant(n);
      shared.next = n + 1;
    }
  }

private:
  std::string title() const {
    return formatv("{0} {1}", taskKinds()[kind].name,
                   taskKinds()[kind].types[type]);
  }
  std::string repeat(uint64_t n) const;
  bool prepare();
  bool runRight();
  void runMutant(uint64_t n);
  std::string scheduleText(const Schedule &schedule) {
    std::string text;
    raw_string_ostream(text) << ScheduleAttr::get(context.get(), schedule);
    return text;
  }
  /// Where `seen` is wrong beyond doubt, if anywhere.
  std::optional<size_t> wrongResult(const Observation &seen) const;
  void reportSurvivor(uint64_t n, const Schedule &schedule, StringRef what,
                      const Observation &seen, size_t where);
  size_t checkedResults() const {
    return subject->sets().checked * subject->taskProgram().outputs().size();
  }

  const MutationTestOptions &options;
  Shared &shared;
  raw_ostream &log;
  uint64_t number;
  size_t kind, type;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<MutationSubject> subject;
  std::string text;
  std::vector<Schedule> schedules;
  std::vector<std::vector<uint64_t>> hashes; ///< Of each right kernel.
  std::vector<Spread> spread;
};
} // namespace

std::string TaskRun::repeat(uint64_t n) const {
  std::string command =
      formatv("pruner-mutate --target={0} --seed={1} --first={2} --count=1 "
              "--mutants-per-task={3} --schedules={4}",
              options.gpu ? "gpu" : "cpu", options.seed, n,
              options.mutantsPerTask, options.schedules);
  if (!options.tasks.empty())
    command += " --tasks=" + join(options.tasks, ",");
  if (!options.kinds.empty())
    command += " --kinds=" + join(options.kinds, ",");
  if (options.loosen != 1)
    command += formatv(" --loosen={0}", options.loosen).str();
  return "  repeat with: " + command + " --dump\n";
}

bool TaskRun::prepare() {
  mlir::DialectRegistry registry;
  registerMeasureDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  Random random = Random(options.seed).fork(2 * number);
  text = taskKinds()[kind].draw(taskKinds()[kind].types[type], random);
  if (options.dump)
    log << text;
  auto made =
      MutationSubject::create(*context, text, int64_t(number), options.loosen);
  if (!made) {
    log << "FAILED task " << number << " (" << title()
        << "): " << toString(made.takeError()) << "\n"
        << text;
    return false;
  }
  subject = std::move(*made);
  Machine machine = options.gpu ? cantFail(knownMachine("sm_80"))
                                : anyCpu(16 << random.uniform(3));
  ScheduleDraw draw(subject->desc(), machine);
  for (unsigned n = 0; n < options.schedules; ++n)
    schedules.push_back(draw.draw(random));
  return true;
}

bool TaskRun::runRight() {
  RightCounts &counts = shared.right[kind][type];
  Observation &seen = shared.observation;
  bool good = true;
  for (const Schedule &schedule : schedules) {
    if (shared.stop)
      return true;
    subject->observe(schedule, std::nullopt, options.timeout, seen);
    ++counts.ran;
    std::string wrong;
    if (seen.broken[0])
      wrong = seen.broken;
    else if (seen.refused[0] || seen.refusedElsewhere[0])
      wrong = seen.refused[0] ? seen.refused : seen.refusedElsewhere;
    if (!wrong.empty()) {
      ++counts.refused;
      log << "RIGHT KERNEL REFUSED, task " << number << " (" << title() << ") "
          << scheduleText(schedule) << ": " << wrong << "\n"
          << repeat(number * options.mutantsPerTask);
    }
    hashes.emplace_back();
    if (seen.state != Observation::State::Done) {
      good = false;
      continue;
    }
    spread.resize(seen.numResults);
    for (size_t n = 0; n < seen.numResults; ++n) {
      hashes.back().push_back(seen.results[n].hash);
      spread[n].difference =
          std::max(spread[n].difference, seen.results[n].difference);
      spread[n].differing =
          std::max(spread[n].differing, seen.results[n].differing);
    }
  }
  return good;
}

std::optional<size_t> TaskRun::wrongResult(const Observation &seen) const {
  std::optional<size_t> worst;
  double worstRatio = 0;
  for (size_t n = 0; n < seen.numResults; ++n) {
    const auto &result = seen.results[n];
    const Spread &right = spread[n];
    bool wrong = result.difference > relevanceFactor * right.difference;
    if (subject->hasIntegerOutput(n))
      wrong |= result.differing > relevanceFactor * right.differing;
    // What the check could see says more than what only others show.
    double ratio = result.difference / (right.difference + 1e-300);
    if (n < checkedResults())
      ratio *= 2;
    if (wrong && (!worst || ratio > worstRatio)) {
      worst = n;
      worstRatio = ratio;
    }
  }
  return worst;
}

void TaskRun::reportSurvivor(uint64_t n, const Schedule &schedule,
                             StringRef what, const Observation &seen,
                             size_t where) {
  log << "SURVIVOR " << n << ", " << title() << ", " << what << "\n  "
      << scheduleText(schedule) << "\n";
  if (where < seen.numResults) {
    const auto &result = seen.results[where];
    size_t outputs = subject->taskProgram().outputs().size();
    log << "  set " << where / outputs
        << (where < checkedResults() ? "" : " (not the check's)")
        << format(", element %lld: got %.9g, expected %.9g, difference %.3g, "
                  "of right kernels %.3g, bound %.3g\n",
                  (long long)result.element, result.got, result.want,
                  result.difference, spread[where].difference, result.bound)
        << "  " << result.differing << " elements differ, of right kernels "
        << spread[where].differing << "\n";
  } else {
    log << "  on inputs that are not the check's: "
        << (seen.broken[0] ? seen.broken : seen.refusedElsewhere) << "\n";
  }
  log << repeat(n);
}

void TaskRun::runMutant(uint64_t n) {
  Random random = Random(options.seed).fork(2 * n + 1);
  // A schedule may have no mutation of the wanted kinds.
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    size_t at = random.uniform(schedules.size());
    const Schedule &schedule = schedules[at];
    std::vector<std::pair<MutantSite, std::string>> sites[numMutationKinds];
    std::vector<MutationKind> present;
    for (bool mapped : {false, true}) {
      auto kernel = subject->kernel(schedule, mapped);
      if (!kernel)
        return consumeError(kernel.takeError());
      MutationList list(*kernel->module);
      for (size_t i = 0; i < list.size(); ++i) {
        StringRef name = nameOf(list[i].kind);
        auto &same = sites[unsigned(list[i].kind)];
        if (!options.kinds.empty() && !is_contained(options.kinds, name))
          continue;
        if (same.empty())
          present.push_back(list[i].kind);
        same.push_back({{mapped, i}, list[i].what});
      }
    }
    if (present.empty())
      continue;
    MutationKind mutation = present[random.uniform(present.size())];
    auto &same = sites[unsigned(mutation)];
    const auto &[site, what] = same[random.uniform(same.size())];
    std::string described =
        formatv("{0}: {1} (phase {2}, number {3})", nameOf(mutation), what,
                site.mapped ? 4 : 3, site.number);
    Observation &seen = shared.observation;
    subject->observe(schedule, site, options.timeout, seen,
                     options.dump ? &log : nullptr);
    MutantCounts &counts = shared.mutants[kind][type][unsigned(mutation)];
    ++counts.made;
    const char *verdict = "refused";
    std::vector<uint64_t> bits;
    for (size_t i = 0; i < seen.numResults; ++i)
      bits.push_back(seen.results[i].hash);
    std::optional<size_t> wrong = wrongResult(seen);
    bool ended = seen.state == Observation::State::Running || seen.broken[0] ||
                 (seen.numResults < spread.size());
    if (seen.state == Observation::State::Unbuilt) {
      ++counts.unbuilt;
      verdict = "unbuilt";
    } else if (ended || wrong) {
      ++counts.relevant;
      // A fault behind the check's own sets is not seen by it.
      bool refused =
          seen.refused[0] || (ended && seen.numResults < checkedResults());
      counts.refused += refused;
      if (!refused) {
        verdict = "SURVIVOR";
        reportSurvivor(n, schedule, described, seen,
                       wrong ? *wrong : seen.numResults);
      }
    } else if (bits == hashes[at]) {
      ++counts.equivalent;
      verdict = "equivalent";
    } else {
      ++counts.near;
      verdict = "near";
    }
    if (options.verbose || options.dump)
      log << n << " " << title() << ", " << described << ": " << verdict << " "
          << (seen.refused[0] ? seen.refused : seen.broken) << "\n";
    return;
  }
}

std::vector<std::string> pruner::mutationTaskNames() {
  std::vector<std::string> names;
  for (const TaskKind &kind : taskKinds())
    names.push_back(kind.name);
  return names;
}

static MutationTestReport collect(const Shared &shared) {
  MutationTestReport report;
  for (auto [k, kind] : enumerate(taskKinds()))
    for (auto [t, type] : enumerate(kind.types)) {
      if (shared.right[k][t].ran)
        report.right[{kind.name, type}] = shared.right[k][t];
      for (unsigned m = 0; m < numMutationKinds; ++m)
        if (shared.mutants[k][t][m].made)
          report.mutants[{kind.name, type, MutationKind(m)}] =
              shared.mutants[k][t][m];
    }
  report.failedTasks = shared.failedTasks;
  report.next = shared.next;
  return report;
}

MutationTestReport pruner::runMutationTest(const MutationTestOptions &options,
                                           raw_ostream &log) {
  MutationTestReport failure;
  failure.failedTasks = 1;
  std::vector<size_t> kinds;
  for (auto [n, kind] : enumerate(taskKinds()))
    if (options.tasks.empty() || is_contained(options.tasks, kind.name))
      kinds.push_back(n);
  void *memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || kinds.empty() || !options.mutantsPerTask ||
      !options.schedules) {
    log << "cannot start: no memory, no such kind of task, or no mutants or "
           "schedules per task\n";
    return failure;
  }
  auto &shared = *new (memory) Shared();
  std::optional<StopOnSignals> signals(std::in_place, shared.stop);
  uint64_t end = options.first + options.count;
  shared.next = options.first;
  while (shared.next < end && !shared.stop) {
    uint64_t number = shared.next / options.mutantsPerTask;
    uint64_t stop = std::min(end, (number + 1) * options.mutantsPerTask);
    log.flush();
    pid_t child = fork();
    if (child < 0) {
      log << "cannot fork: " << std::strerror(errno) << "\n";
      return failure;
    }
    if (child == 0) {
      TaskRun(options, shared, log, kinds, number).run(shared.next, stop);
      log.flush();
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      log << "FAILED task " << number << ": "
          << (WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                  : "unexpected exit")
          << "\n";
      ++shared.failedTasks;
    }
    if (!shared.stop)
      shared.next = stop;
  }
  MutationTestReport report = collect(shared);
  report.interrupted = shared.stop && shared.next < end;
  signals.reset();
  munmap(memory, sizeof(Shared));
  return report;
}
