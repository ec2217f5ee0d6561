//===- DraftBench.cpp - schedules drafted per second ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See docs/guides/Benchmarking.md.

#include "Operator.h"
#include "Process.h"
#include "TuningSession.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Search/Evolution.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Target/StageTimer.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::bench;
namespace cl = llvm::cl;

namespace {
/// The libraries register options of these names, so this object is created
/// after those were unregistered.
struct Options {
  cl::OptionCategory category{"Benchmark options"};
  cl::list<std::string> ops{
      "op", cl::cat(category),
      cl::desc("An operation as in a suite, without its name"),
      cl::value_desc("kind numbers")};
  cl::opt<std::string> targets{
      "targets", cl::cat(category), cl::init("cpu,nvidia:sm_80"),
      cl::desc("What to draft for, separated by commas")};
  cl::opt<unsigned> population{"population", cl::cat(category), cl::init(1536),
                               cl::desc("Schedules of a generation")};
  cl::opt<unsigned> repeat{"repeat", cl::cat(category), cl::init(9),
                           cl::desc("How often each stage is timed")};
  cl::opt<unsigned> cpu{"cpu", cl::cat(category), cl::init(0),
                        cl::desc("The CPU to run on, of those allowed")};
};

/// The stages that are timed separately, and all of them together.
enum Stage { Sample, Mutate, Legality, Key, Program, Score, Draft, kStages };
constexpr const char *kNames[kStages] = {"sample",  "mutate", "legality", "key",
                                         "program", "score",  "draft"};

/// Schedules per second of CPU time.
struct Rate {
  double median = 0, best = 0;
};
} // namespace

/// Results are added here, so that the compiler cannot remove the work.
static uint64_t sink;

/// Calls `work` for each of `rounds` rounds; it returns the number of
/// schedules.
static Rate measure(unsigned rounds, llvm::function_ref<size_t()> work) {
  std::vector<double> rates;
  for (unsigned i = 0; i < rounds; ++i) {
    StageTime time;
    size_t done = 0;
    {
      StageTimer timer(time);
      done = work();
    }
    rates.push_back(1e3 * double(done) / std::max(1e-6, time.cpuMs));
  }
  llvm::sort(rates);
  return {rates[rates.size() / 2], rates.back()};
}

/// The best drafts of a task with their scores, as text.
static std::string textOf(mlir::MLIRContext &context, const Evolved &evolved) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [schedule, score] :
       llvm::zip_equal(evolved.schedules, evolved.scores))
    os << ScheduleAttr::get(&context, schedule) << " "
       << llvm::format("%a", score) << "\n";
  return text;
}

static Evolved draft(const ScheduleSpace &space, unsigned population) {
  Random random(1);
  llvm::DenseSet<const Schedule *, SchedulePointee> drawn;
  std::vector<Schedule> start;
  start.reserve(population);
  for (unsigned draw = 0; draw < 2 * population && start.size() < population;
       ++draw)
    if (std::optional<Schedule> schedule = space.sample(random)) {
      start.push_back(std::move(*schedule));
      if (!drawn.insert(&start.back()).second)
        start.pop_back();
    }
  EvolutionOptions options;
  options.population = population;
  DraftModel model(space.task(), space.machine());
  auto score = [&](SchedulePointers schedules) {
    std::vector<float> scores;
    for (const Schedule *schedule : schedules)
      scores.push_back(float(1 / model(*schedule)));
    return scores;
  };
  return evolve(space, std::move(start), score, options, random);
}

static void timeTask(mlir::MLIRContext &context, const ScheduleSpace &space,
                     const Options &options) {
  const TaskDesc &task = space.task();
  const Machine &machine = space.machine();
  unsigned population = options.population;
  std::vector<Schedule> drawn;
  Random random(0);
  for (unsigned i = 0; i < population; ++i)
    if (std::optional<Schedule> schedule = space.sample(random))
      drawn.push_back(std::move(*schedule));
  DraftModel model(task, machine);
  std::vector<ProgramSummary> programs;
  for (const Schedule &schedule : drawn)
    programs.push_back(model.summaryOf(schedule));

  auto forEach = [&](auto &all, auto work) {
    return measure(options.repeat, [&] {
      for (auto &each : all)
        sink += work(each);
      return all.size();
    });
  };
  Rate rates[kStages];
  Evolved evolved;
  rates[Draft] = measure(options.repeat, [&] {
    evolved = draft(space, population);
    return size_t(population) * (1 + EvolutionOptions().generations);
  });
  rates[Sample] = forEach(
      drawn, [&](auto &) { return space.sample(random)->tiles.size(); });
  rates[Mutate] = forEach(drawn, [&](const Schedule &schedule) {
    return space.mutate(schedule, random).has_value();
  });
  rates[Legality] = forEach(drawn, [&](const Schedule &schedule) {
    return !checkSchedule(task, schedule, machine);
  });
  rates[Key] = measure(options.repeat, [&] {
    llvm::DenseSet<const Schedule *, SchedulePointee> set;
    for (const Schedule &schedule : drawn)
      set.insert(&schedule);
    sink += set.size();
    return drawn.size();
  });
  rates[Program] = forEach(drawn, [&](const Schedule &schedule) {
    return model.summaryOf(schedule).statements.size();
  });
  rates[Score] = forEach(programs, [&](const ProgramSummary &program) {
    return uint64_t(1e12 * psaSeconds(program, machine));
  });

  llvm::raw_ostream &os = llvm::errs();
  for (const Rate &rate : rates)
    os << llvm::format(" %8.0f", rate.median / 1e3);
  os << llvm::format(" %8.0f", rates[Draft].best / 1e3) << "  "
     << llvm::format_hex_no_prefix(llvm::xxh3_64bits(textOf(context, evolved)),
                                   16)
     << "  " << space.machine().name << " " << task.name << "\n";
}

static llvm::Error run(Options &options) {
  if (options.ops.empty())
    for (const char *op :
         {"mm m=512 n=512 k=512", "mm_bias_gelu m=128 n=3072 k=768",
          "conv c=64 h=56 f=64 k=3 p=1",
          "conv c=96 h=112 f=96 k=3 s=2 p=1 g=96", "softmax shape=12x128x128",
          "sum shape=4096x4096 axis=1", "relu shape=128x3072"})
      options.ops.push_back(op);
  auto operators = selectOperators(options.ops, "", ".");
  if (!operators)
    return operators.takeError();
  auto sessions = TuningSession::createAll(options.targets);
  if (!sessions)
    return sessions.takeError();
  auto cpus = bindToCpus(options.cpu, 1);
  if (!cpus)
    return cpus.takeError();
  llvm::errs() << "thousand schedules per second of CPU time of one core, "
                  "medians of "
               << options.repeat << "\n";
  for (const char *name : kNames)
    llvm::errs() << llvm::format(" %8s", name);
  llvm::errs() << "     best  hash of drafts    machine and task\n";
  for (TuningSession &session : *sessions)
    for (const Operator &op : *operators) {
      auto found = session.tasks(op.name, moduleText(op));
      if (!found)
        return found.takeError();
      for (const ModuleTask &task : found->tasks)
        timeTask(session.context(),
                 ScheduleSpace(task.desc, session.environment().machine),
                 options);
    }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Options options;
  cl::HideUnrelatedOptions(options.category);
  parseCommandLine(argc, argv, "Schedules drafted per second\n");
  auto fail = [](llvm::Error error) {
    llvm::errs() << "pruner-bench-draft: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  };
  if (options.repeat == 0 || options.population == 0)
    return fail(
        llvm::createStringError("--repeat and --population are at least 1"));
  if (llvm::Error error = run(options))
    return fail(std::move(error));
  return 0;
}
