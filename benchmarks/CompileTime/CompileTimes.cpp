//===- CompileTimes.cpp - times of building candidates --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTimes.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Search/Strategy.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace pruner;
using namespace pruner::bench;

/// Candidates per round, as in pruner-tune.
static constexpr size_t kBatch = 10;

/// The first step of a worker's `run` request.
static llvm::Error load(const BuiltCandidate &built) {
  auto module = loadObject(
      llvm::ArrayRef<char>(built.artifact.data(), built.artifact.size()));
  if (!module)
    return module.takeError();
  return (*module)->lookup(built.entry).takeError();
}

static CandidateTimes buildOne(const TuningSession &session,
                               const TaskProgram &program, std::string schedule,
                               bool assemble) {
  CandidateTimes result;
  result.schedule = std::move(schedule);
  BuildOptions options;
  options.assemble = assemble;
  StageTime building;
  auto built = [&] {
    StageTimer timer(building);
    return buildCandidate(program, result.schedule,
                          session.environment().target, options);
  }();
  if (!built) {
    result.failure = llvm::toString(built.takeError());
    return result;
  }
  StageTime stages;
  for (const auto &[name, time] : built->times.stages()) {
    if (time.wallMs == 0)
      continue;
    result.stages.push_back({name, time});
    stages += time;
  }
  result.stages.push_back({"rest", building - stages});
  result.total = building;
  result.passes = built->times.passes;
  result.artifactBytes = int64_t(built->artifact.size());
  result.facts = built->facts;
  if (built->format != "object")
    return result;
  StageTime loading;
  {
    StageTimer timer(loading);
    if (llvm::Error error = load(*built))
      result.failure = llvm::toString(std::move(error));
  }
  result.stages.push_back({"load", loading});
  result.total += loading;
  return result;
}

static std::string textOf(TuningSession &session, const Schedule &schedule) {
  std::string text;
  llvm::raw_string_ostream(text)
      << ScheduleAttr::get(&session.context(), schedule);
  return text;
}

llvm::Expected<std::vector<TaskTimes>>
bench::timeCandidates(TuningSession &session, const Operator &op,
                      const DrawOptions &options) {
  auto found = session.tasks(op.name, moduleText(op));
  if (!found)
    return found.takeError();
  const Environment &environment = session.environment();
  const SearchStrategy *strategy = findSearchStrategy(options.strategy);
  if (!strategy)
    return llvm::createStringError("unknown strategy '" + options.strategy +
                                   "'");
  SearchOptions common;
  common.seed =
      options.seed ^ llvm::xxh3_64bits(op.name + environment.target.str());
  std::vector<TaskTimes> results;
  for (const ModuleTask &task : found->tasks) {
    TaskTimes &result = results.emplace_back();
    result.op = op.name;
    result.kind = op.kind;
    result.task = task.desc.name;
    result.target = environment.target.str();
    std::optional<llvm::Expected<TaskProgram>> program;
    {
      StageTimer timer(result.parse);
      program.emplace(TaskProgram::parse(session.context(), task.text));
    }
    if (!*program)
      return program->takeError();
    ScheduleSpace space(task.desc, environment.machine);
    auto search = strategy->createSearch(space, /*model=*/nullptr, common);
    while (result.candidates.size() < options.count) {
      auto batch = search->propose(
          std::min<size_t>(kBatch, options.count - result.candidates.size()));
      if (batch.empty())
        break;
      for (const Trial &candidate : batch)
        result.candidates.push_back(
            buildOne(session, **program, textOf(session, candidate.schedule),
                     options.assemble));
    }
    if (result.candidates.empty())
      return llvm::createStringError("%s: no legal schedule of task %s on %s",
                                     op.name.c_str(), result.task.c_str(),
                                     environment.target.str().c_str());
  }
  return results;
}
