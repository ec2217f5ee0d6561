//===- CompileTimes.cpp - times of building candidates --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileTimes.h"

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Schedule/Space.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace pruner;
using namespace pruner::bench;

/// What a worker's `run` request starts with.
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
  result.artifactBytes = int64_t(built->artifact.size());
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
  Random random =
      Random(options.seed)
          .fork(llvm::xxh3_64bits(op.name + environment.target.str()));
  std::vector<TaskTimes> results;
  for (const TuneTask &task : found->tasks) {
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
    for (unsigned n = 0; n < options.count; ++n) {
      auto schedule = space.sample(random);
      if (!schedule)
        return llvm::createStringError("%s: no legal schedule of task %s on %s",
                                       op.name.c_str(), result.task.c_str(),
                                       environment.target.str().c_str());
      result.candidates.push_back(buildOne(
          session, **program, textOf(session, *schedule), options.assemble));
    }
  }
  return results;
}
