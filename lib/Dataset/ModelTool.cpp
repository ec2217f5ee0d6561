//===- ModelTool.cpp - the pruner-model command ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dataset/ModelTool.h"
#include "pruner/Dataset/Evaluate.h"

#include "CommandLine.h"

#include "pruner/Support/OutputFile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

static constexpr const char *kHelp =
    R"(pruner-model: models that score schedules

usage:
  pruner-model evaluate [--model=NAME,...] DATASET...
                         how well scores choose among what was measured, by
                         machine and kind of operation: the mean over tasks of
                         the correlation of ranks, and of the fastest time over
                         the best one among the 1, 10, ... 512 highest scored
      --first=N          only the first N schedules of each task
      --least-unroll=N   only schedules that unroll at least N steps
      --legal            only schedules that keep all rules on their machine
      --json             with every task

models: psa, psa-released, psa-without-<penalty> (l0-memory, l0-compute,
l1-memory, l1-compute, l2-memory, l2-compute, concurrency), ablation for all of
these, random (the expectation). Default: psa,psa-released,random.
)";

static int failWith(Error error) {
  logAllUnhandledErrors(std::move(error), errs(), "pruner-model: error: ");
  return 1;
}

static int failUsage(const Twine &what) {
  errs() << "pruner-model: error: " << what << "; see 'pruner-model --help'\n";
  return 2;
}

static int runEvaluate(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(
      words, {"model", "first", "least-unroll", "legal", "json"});
  if (!line)
    return failUsage(toString(line.takeError()));
  if (line->files.empty())
    return failUsage("evaluate takes datasets");
  EvaluationOptions options;
  options.legalOnly = line->has("legal");
  if (line->has("first") &&
      (line->option("first").getAsInteger(10, options.first) || !options.first))
    return failUsage("--first takes a number from 1");
  if (line->has("least-unroll") &&
      line->option("least-unroll").getAsInteger(10, options.leastUnroll))
    return failUsage("--least-unroll takes a number");
  Expected<std::vector<ScoringModel>> models = createScoringModels(
      line->has("model") ? line->option("model") : "psa,psa-released,random");
  if (!models)
    return failUsage(toString(models.takeError()));
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  bool good = reportBadLines(*view);
  std::vector<TaskEvaluation> tasks = evaluate(*view, *models, options);
  if (line->has("json"))
    outs() << formatv("{0:2}", toJson(tasks, *models)) << '\n';
  else
    printEvaluation(tasks, *models, outs());
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

int pruner::prunerModelMain(int argc, char **argv) {
  std::vector<StringRef> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty())
    return failUsage("no command was given");
  if (is_contained(words, "--help") || is_contained(words, "-h")) {
    outs() << kHelp;
    return 0;
  }
  if (words.front() == "evaluate")
    return runEvaluate(ArrayRef(words).drop_front());
  return failUsage("there is no command '" + words.front() + "'");
}
