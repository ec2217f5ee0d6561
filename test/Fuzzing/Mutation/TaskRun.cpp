//===- TaskRun.cpp - one task and its mutants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskRun.h"

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/KnownMachines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

std::string TaskRun::title() const {
  return formatv("{0} {1}", taskKinds()[kind].name,
                 taskKinds()[kind].types[type]);
}

std::string TaskRun::scheduleText(const Schedule &schedule) const {
  std::string text;
  raw_string_ostream(text) << ScheduleAttr::get(context.get(), schedule);
  return text;
}

void TaskRun::run(uint64_t first, uint64_t end) {
  if (!prepare() || !runRight())
    return void(++shared.failedTasks);
  for (uint64_t n = first; n < end && !shared.stop; ++n) {
    runMutant(n);
    shared.next = n + 1;
  }
}

std::string TaskRun::repeat(uint64_t n) const {
  std::string command = formatv(
      "pruner-fuzz mutants --target={0} --seed={1} --first={2} --count=1 "
      "--mutants-per-task={3} --schedules={4}",
      options.gpu ? "gpu" : "cpu", options.seed, n, options.mutantsPerTask,
      options.schedules);
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
  registerBuilderDialects(registry);
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
  std::vector<double> roundoffs;
  for (const TensorSpec &spec : subject->taskProgram().outputs())
    roundoffs.push_back(isFloat(spec.type) ? unitRoundoff(spec.type) : 0);
  right.emplace(subject->sets().checked * roundoffs.size(), roundoffs);
  Machine machine = options.gpu ? cantFail(knownMachine(gpuChip))
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
    else if (seen.rejected[0] || seen.rejectedElsewhere[0])
      wrong = seen.rejected[0] ? seen.rejected : seen.rejectedElsewhere;
    if (!wrong.empty()) {
      ++counts.rejected;
      log << "CORRECT KERNEL REJECTED, task " << number << " (" << title()
          << ") " << scheduleText(schedule) << ": " << wrong << "\n"
          << repeat(number * options.mutantsPerTask);
    }
    hashes.push_back(hashesOf(seen));
    if (seen.state == Observation::State::Done)
      right->add(seen);
    else
      good = false;
  }
  return good;
}

void TaskRun::reportMissed(uint64_t n, Verdict verdict,
                           const Schedule &schedule, StringRef what,
                           const Observation &seen) {
  log << nameOf(verdict) << " " << n << ", " << title() << ", " << what
      << "\n  " << scheduleText(schedule) << "\n";
  if (auto where = right->wrongResult(seen)) {
    const auto &result = seen.results[*where];
    const Spread &spread = right->spread()[*where];
    size_t outputs = subject->taskProgram().outputs().size();
    log << "  set " << *where / outputs
        << (*where < right->checkedResults() ? "" : " (not the check's)")
        << format(", element %lld: got %.9g, expected %.9g, difference %.3g, "
                  "of correct kernels %.3g, bound %.3g\n",
                  (long long)result.element, result.got, result.want,
                  result.difference, spread.difference, result.bound)
        << "  " << result.differing << " elements differ, of correct kernels "
        << spread.differing << "\n";
  } else {
    log << "  on inputs that are not the check's: "
        << (seen.broken[0] ? seen.broken : seen.rejectedElsewhere) << "\n";
  }
  log << repeat(n);
}

/// One mutation of one correct kernel.
struct TaskRun::Choice {
  size_t schedule;
  MutationKind kind;
  MutantSite site;
  std::string what;
};

/// Draws a schedule, a kind of mutation that its kernel has, and a mutation of
/// that kind. std::nullopt if no kernel has one.
std::optional<TaskRun::Choice> TaskRun::choose(Random &random) {
  // A schedule may have no mutation of the requested kinds.
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    size_t at = random.uniform(schedules.size());
    std::vector<Choice> choices[numMutationKinds];
    std::vector<MutationKind> present;
    for (bool mapped : {false, true}) {
      auto kernel = subject->kernel(schedules[at], mapped);
      if (!kernel) {
        consumeError(kernel.takeError());
        return std::nullopt;
      }
      MutationList list(*kernel->module);
      for (size_t i = 0; i < list.size(); ++i) {
        MutationKind kind = list[i].kind;
        if (!options.kinds.empty() &&
            !is_contained(options.kinds, nameOf(kind)))
          continue;
        auto &same = choices[unsigned(kind)];
        if (same.empty())
          present.push_back(kind);
        same.push_back({at, kind, {mapped, i}, list[i].what});
      }
    }
    if (present.empty())
      continue;
    auto &same = choices[unsigned(present[random.uniform(present.size())])];
    return same[random.uniform(same.size())];
  }
  return std::nullopt;
}

void TaskRun::runMutant(uint64_t n) {
  Random random = Random(options.seed).fork(2 * n + 1);
  std::optional<Choice> choice = choose(random);
  if (!choice)
    return;
  std::string described =
      formatv("{0}: {1} (phase {2}, number {3})", nameOf(choice->kind),
              choice->what, choice->site.mapped ? 4 : 3, choice->site.number);
  const Schedule &schedule = schedules[choice->schedule];
  Observation &seen = shared.observation;
  subject->observe(schedule, choice->site, options.timeout, seen,
                   options.dump ? &log : nullptr);
  MutantCounts &counts = shared.mutants[kind][type][unsigned(choice->kind)];
  Verdict verdict = judge(seen, hashes[choice->schedule], *right);
  ++counts.made;
  counts.unbuilt += verdict == Verdict::Unbuilt;
  counts.equivalent += verdict == Verdict::Equivalent;
  counts.near += verdict == Verdict::Near;
  counts.relevant +=
      verdict == Verdict::Rejected || verdict == Verdict::Survived;
  counts.rejected += verdict == Verdict::Rejected;
  counts.unseen += verdict == Verdict::Unseen;
  if (verdict == Verdict::Survived || verdict == Verdict::Unseen)
    reportMissed(n, verdict, schedule, described, seen);
  if (options.verbose || options.dump)
    log << n << " " << title() << ", " << described << ": " << nameOf(verdict)
        << " " << (seen.rejected[0] ? seen.rejected : seen.broken) << "\n";
}
