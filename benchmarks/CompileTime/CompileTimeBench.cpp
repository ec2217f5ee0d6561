//===- CompileTimeBench.cpp - compile time of candidates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See docs/guides/Benchmarking.md.

#include "CompileTimeReport.h"
#include "Process.h"
#include "Report.h"

#include "pruner/Record/Record.h"
#include "pruner/Support/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace pruner;
using namespace pruner::bench;
namespace cl = llvm::cl;
namespace json = llvm::json;

namespace {
/// Created after the libraries' options of the same names were removed from the
/// command line.
struct Options {
  cl::OptionCategory category{"Benchmark options"};
  cl::opt<std::string> suite{
      "suite", cl::cat(category),
      cl::init(PRUNER_BENCH_OPERATORS_DIR "/operators.suite"),
      cl::desc("The operations to compile"), cl::value_desc("file")};
  cl::opt<std::string> only{
      "only", cl::cat(category), cl::init("."),
      cl::desc("Regular expression that selects operations by name"),
      cl::value_desc("regex")};
  cl::opt<std::string> targets{
      "targets", cl::cat(category), cl::init("cpu,nvidia:sm_80,nvidia:sm_90a"),
      cl::desc("Targets to compile for, separated by commas")};
  cl::opt<std::string> strategy{
      "strategy", cl::cat(category), cl::init("draft-verify"),
      cl::desc(
          "Search strategy that proposes the schedules, as in pruner-tune")};
  cl::opt<unsigned> count{"count", cl::cat(category), cl::init(10),
                          cl::desc("Number of schedules per task and target")};
  cl::opt<unsigned long long> seed{"seed", cl::cat(category), cl::init(0),
                                   cl::desc("Seed of the search")};
  cl::opt<bool> assemble{"assemble", cl::cat(category),
                         cl::desc("Also time ptxas (wall time only)")};
  cl::opt<unsigned> cpu{"cpu", cl::cat(category), cl::init(0),
                        cl::desc("The CPU to run on, of those allowed")};
  cl::opt<std::string> jsonFile{
      "json", cl::cat(category),
      cl::desc("Write the result to this file after every operation"),
      cl::value_desc("file")};
};
} // namespace

/// The first calls fill tables that last for the life of a worker.
static llvm::Error warmUp(TuningSession &session) {
  auto op = Operator::parse("warm_up mm m=64 n=64 k=64");
  if (!op)
    return op.takeError();
  DrawOptions few;
  few.strategy = "random";
  few.count = 3;
  return timeCandidates(session, *op, few).takeError();
}

/// Returns whether every candidate was built.
static llvm::Expected<bool> runSuite(const Options &options,
                                     std::string commandLine) {
  auto operators = selectOperators({}, options.suite, options.only);
  if (!operators)
    return operators.takeError();
  // Created before this process is bound to a CPU, because the machines are
  // part of the result.
  auto sessions = TuningSession::createAll(options.targets);
  if (!sessions)
    return sessions.takeError();
  json::Object document = describeRun("compile-time", std::move(commandLine));
  auto cpus = bindToCpus(options.cpu, 1);
  if (!cpus)
    return cpus.takeError();
  document["cpus"] = json::Array(*cpus);
  document["strategy"] = options.strategy.getValue();
  document["count"] = int64_t(options.count);
  document["seed"] = int64_t(options.seed);

  DrawOptions draws;
  draws.strategy = options.strategy;
  draws.count = options.count;
  draws.seed = options.seed;
  draws.assemble = options.assemble;
  std::vector<TaskTimes> results;
  for (TuningSession &session : *sessions) {
    if (llvm::Error error = warmUp(session))
      return error;
    for (const Operator &op : *operators) {
      auto tasks = timeCandidates(session, op, draws);
      if (!tasks)
        return tasks.takeError();
      if (tasks->empty())
        llvm::errs() << session.environment().target.str() << " " << op.name
                     << ": no tasks\n";
      for (TaskTimes &task : *tasks) {
        printProgress(llvm::errs(), task);
        results.push_back(std::move(task));
      }
      for (auto &member : toJson(results))
        document[member.first] = std::move(member.second);
      document["load_average_after"] = loadAverage();
      if (llvm::Error error = writeJson(options.jsonFile, document))
        return error;
    }
  }
  printTables(llvm::errs(), results);
  return llvm::all_of(results, [](const TaskTimes &task) {
    return llvm::all_of(task.candidates, [](const CandidateTimes &candidate) {
      return candidate.failure.empty();
    });
  });
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  Options options;
  cl::HideUnrelatedOptions(options.category);
  parseCommandLine(argc, argv, "Measures the time to compile candidates\n");
  auto fail = [](llvm::Error error) {
    llvm::errs() << "pruner-bench-compile: " << llvm::toString(std::move(error))
                 << "\n";
    return 1;
  };
  if (options.count == 0)
    return fail(llvm::createStringError("expected --count to be at least 1"));
  std::vector<std::string> words(argv, argv + argc);
  auto complete = runSuite(options, llvm::join(words, " "));
  if (!complete)
    return fail(complete.takeError());
  return *complete ? 0 : 1;
}
