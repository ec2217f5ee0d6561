//===- ModelTool.cpp - the pruner model command ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/ModelTool.h"
#include "EvaluateLatency.h"
#include "FeatureTable.h"
#include "Sequences.h"
#include "pruner/Dataset/Train.h"

#include "pruner/Analysis/ModelTerm.h"

#include "CommandLine.h"

#include "pruner/Support/NearestName.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

static constexpr const char *kHelp =
    R"(pruner model: train and evaluate models that score schedules

usage:
  pruner model evaluate [--model=NAME,...] DATASET...
                         evaluate how well scores choose among measured
                         schedules. Prints, by machine and kind of operation,
                         means over tasks of the rank correlation and of the
                         fastest time over the best time among the 1, 10, ...
                         512 schedules with the highest scores
      --first=N          use only the first N schedules of each task
      --least-unroll=N   use only schedules that unroll at least N iterations
      --legal            use only schedules that are legal on their machine
      --unseen           use only tasks with shapes that no learned model in
                         the list was trained on
      --json             print JSON with every task
      --latency          evaluate the times that latency models and the
                         analytical model predict. Prints, by machine, kind of
                         operation and source (such as a network), the mean
                         relative error (MAPE), the median, and the shares of
                         schedules with errors of at most 10 and 20 %

  pruner model train [--model=NAME] -o FILE DATASET...
                         train a model and write its weights; the file names
                         the task shapes that the model was trained on
      --model=NAME       {0} (xgboost)
      --options=JSON     options of the model, such as '{{"rounds": 300}'
      --hold-out=SHARE   exclude this share of the task shapes from training
      --seed=N           seed for drawing what is held out (0)
      --first=N          use only the first N schedules of each task
      --platform=NAME[=N],...
                         use only these machines, and N schedules of each,
                         drawn at random. The model is for the first one; tlp
                         has a head for each
      --cross-validate=K first evaluate the training by K-fold cross-validation
                         over task shapes, and store the result in the file
      --without=SOURCE,...
                         do not use times of task shapes that occur in these
                         sources, such as networks
      --target=NAME      cdmpp: adapt to this source or machine by the central
                         moment discrepancy between its programs and the
                         others. For its tasks that --without excludes, the
                         model sees the programs but not the times
      --sample-tasks=K   use only the times of K tasks of the target, chosen by
                         k-means of their programs
  pruner model adapt --weights=FILE -o FILE DATASET...
                         continue the training with other data, such as a few
                         schedules of another machine. tlp gets a head for each
                         new machine. Takes --options, --hold-out, --seed,
                         --first, --platform, --without, --target and
                         --sample-tasks like train
      --adapt=NAME       method: {1} (fine-tune)
  pruner model options [MODEL...]
                         print the models and adaptations, or the options of
                         models
  pruner model describe FILE...
                         print what weight files say about their training
  pruner model features DATASET...
                         print a table (CSV) with a line for each schedule: its
                         time and the terms of the analytical model
  pruner model terms     print the terms of the analytical model with their
                         versions
  pruner model sequences DATASET...
                         print the lengths of the schedules as sequences of
                         primitives, and what the matrices of tlp crop

models: psa (the analytical model that drafts schedules), psa-throughput,
psa-paper, psa-released, psa-cold (with empty caches when a program begins),
psa-without-<term>, ablation (without each term for GPUs), ablation-cpu (without
each term for CPUs), ablation-paper (l0-memory, l0-compute, l1-memory,
l1-compute, l2-memory, l2-compute, concurrency, of psa-paper), random (expected
values), FILE.safetensors (a trained model). Default: psa,psa-released,random.
)";

static int failWith(Error error) {
  logAllUnhandledErrors(std::move(error), errs(), "pruner model: error: ");
  return 1;
}

static int wrongUsage(const Twine &what) {
  return failUsage("pruner model", what);
}

static int runEvaluate(ArrayRef<StringRef> words) {
  Expected<CommandLine> line =
      CommandLine::parse(words, {"model", "first", "least-unroll", "legal",
                                 "unseen", "json", "latency"});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty())
    return wrongUsage("evaluate expects at least one dataset");
  EvaluationOptions options;
  options.legalOnly = line->has("legal");
  options.unseenOnly = line->has("unseen");
  if (line->has("first") &&
      (line->option("first").getAsInteger(10, options.first) || !options.first))
    return wrongUsage("--first expects an integer of at least 1");
  if (line->has("least-unroll") &&
      line->option("least-unroll").getAsInteger(10, options.leastUnroll))
    return wrongUsage("--least-unroll expects an integer");
  Expected<std::vector<ScoringModel>> models =
      createScoringModels(line->has("model")     ? line->option("model")
                          : line->has("latency") ? "psa,psa-released"
                                                 : "psa,psa-released,random");
  if (!models)
    return wrongUsage(toString(models.takeError()));
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  for (const ScoringModel &model : *models)
    if (!model.refusesCpus.empty() &&
        llvm::any_of(view->tasks,
                     [](const auto &task) { return task.machine->isCpu(); }))
      return wrongUsage("'" + model.name + "': " + model.refusesCpus);
  bool good = reportBadLines(*view);
  if (line->has("latency")) {
    auto groups = evaluateLatency(*view, *models, options);
    if (!groups)
      return wrongUsage(toString(groups.takeError()));
    if (line->has("json"))
      outs() << formatv("{0:2}", toJson(*groups, *models)) << '\n';
    else
      printLatency(*groups, *models, outs());
    if (Error error = flushOutput(outs()))
      return failWith(std::move(error));
    return good ? 0 : 1;
  }
  std::vector<TaskEvaluation> tasks = evaluate(*view, *models, options);
  if (line->has("json"))
    outs() << formatv("{0:2}", toJson(tasks, *models)) << '\n';
  else
    printEvaluation(tasks, *models, outs());
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

/// Reads, for example, "nvidia:v100=500,nvidia:k80".
static Error readPlatforms(StringRef text, std::vector<TrainPlatform> &to) {
  for (StringRef word : llvm::split(text, ',')) {
    auto [name, count] = word.rsplit('=');
    TrainPlatform platform{name.str(), 0};
    bool counted = word.contains('=');
    if (name.empty() ||
        (counted &&
         (count.getAsInteger(10, platform.schedules) || !platform.schedules)))
      return createStringError(
          "--platform expects names of machines, each optionally with "
          "'=' and an integer of at least 1");
    if (llvm::any_of(to, [&](const TrainPlatform &known) {
          return known.name == platform.name;
        }))
      return createStringError("--platform names '" + name +
                               "' more than once");
    to.push_back(std::move(platform));
  }
  return Error::success();
}

/// Options that train and adapt share.
static Error readTrainOptions(const CommandLine &line, TrainOptions &options) {
  options.modelOptions = line.option("options").str();
  if (line.has("hold-out") &&
      (line.option("hold-out").getAsDouble(options.holdOut.second) ||
       !(options.holdOut.second >= 0 && options.holdOut.second < 1)))
    return createStringError(
        "--hold-out expects a share of at least 0 and below 1");
  if (line.has("seed") && line.option("seed").getAsInteger(10, options.seed))
    return createStringError("--seed expects an integer");
  if (line.has("first") &&
      (line.option("first").getAsInteger(10, options.first) || !options.first))
    return createStringError("--first expects an integer of at least 1");
  if (line.has("without"))
    for (StringRef source : llvm::split(line.option("without"), ','))
      options.without.push_back(source.str());
  options.target = line.option("target").str();
  if (line.has("sample-tasks")) {
    if (line.option("sample-tasks").getAsInteger(10, options.sampledTasks) ||
        !options.sampledTasks)
      return createStringError(
          "--sample-tasks expects an integer of at least 1");
    if (options.target.empty())
      return createStringError("--sample-tasks requires --target");
  }
  return line.has("platform")
             ? readPlatforms(line.option("platform"), options.platforms)
             : Error::success();
}

static Error saveTrained(const TrainedModel &trained, StringRef path) {
  if (std::string error =
          saveWeights(*trained.model, path.str(), trained.origin);
      !error.empty())
    return createStringError(error);
  errs() << formatv("{0}: {1} schedules of {2} tasks in {3:f1} s; {4} tasks "
                    "held out\n",
                    path, trained.schedules, trained.tasks,
                    trained.report.seconds, trained.heldOutTasks);
  return Error::success();
}

static int runAdapt(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(
      words, {"weights", "adapt", "options", "hold-out", "seed", "first",
              "platform", "without", "target", "sample-tasks", "o"});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty() || !line->has("o") || !line->has("weights"))
    return wrongUsage(
        "adapt expects --weights, -o FILE and at least one dataset");
  TrainOptions options;
  options.weights = line->option("weights").str();
  options.adaptation = line->option("adapt").str();
  if (Error error = readTrainOptions(*line, options))
    return wrongUsage(toString(std::move(error)));
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  bool good = reportBadLines(*view);
  Expected<TrainedModel> trained = trainModel(*view, options, errs());
  if (!trained)
    return failWith(trained.takeError());
  if (Error error = saveTrained(*trained, line->option("o")))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

static int runTrain(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(
      words, {"model", "options", "hold-out", "seed", "first", "platform",
              "without", "target", "sample-tasks", "cross-validate", "o"});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty() || !line->has("o"))
    return wrongUsage("train expects -o FILE and at least one dataset");
  TrainOptions options;
  if (line->has("model"))
    options.model = line->option("model").str();
  if (Error error = readTrainOptions(*line, options))
    return wrongUsage(toString(std::move(error)));
  unsigned folds = 0;
  if (line->has("cross-validate") &&
      (line->option("cross-validate").getAsInteger(10, folds) || folds < 2))
    return wrongUsage("--cross-validate expects an integer of at least 2");
  if (folds && line->has("hold-out"))
    return wrongUsage("--cross-validate and --hold-out are mutually exclusive");
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  bool good = reportBadLines(*view);
  std::vector<TaskEvaluation> validation;
  std::vector<ScoringModel> judged;
  if (folds) {
    auto models = crossValidate(*view, options, folds, validation, errs());
    if (!models)
      return failWith(models.takeError());
    judged = std::move(*models);
    printEvaluation(validation, judged, errs());
  }
  Expected<TrainedModel> trained = trainModel(*view, options, errs());
  if (!trained)
    return failWith(trained.takeError());
  if (folds)
    noteValidation(validation, judged, folds, trained->origin);
  if (Error error = saveTrained(*trained, line->option("o")))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

static int runDescribe(ArrayRef<StringRef> words) {
  Expected<CommandLine> line = CommandLine::parse(words, {});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty())
    return wrongUsage("describe expects at least one weight file");
  for (StringRef path : line->files) {
    Expected<LoadedModel> model = loadModel(path, errs());
    if (!model)
      return failWith(model.takeError());
    describeModel(*model, outs());
  }
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return 0;
}

/// Prints the terms of the analytical model, those of CPUs first.
static int runTerms(ArrayRef<StringRef> words) {
  if (!words.empty())
    return wrongUsage("terms expects no arguments");
  for (auto [device, terms] :
       {std::pair("cpu", cpuTerms()), std::pair("gpu", gpuTerms())})
    for (const ModelTerm *term : terms)
      outs() << formatv("{0}  {1,-22} version {2}  {3}\n", device, term->name,
                        term->version, term->summary);
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return 0;
}

static void printOptions(ArrayRef<OptionInfo> options) {
  for (const OptionInfo &option : options)
    outs() << formatv("  {0,-16} {1} ({2})\n{3,-20}{4}\n", option.name,
                      option.help, option.value, "", option.permitted);
}

/// Prints the models and adaptations, or the options of the named models.
static int runOptions(ArrayRef<StringRef> words) {
  if (words.empty()) {
    outs() << "models:\n";
    for (const ModelKind *kind : modelKinds())
      outs() << formatv("  {0,-12} {1}\n", kind->name(), kind->summary());
    outs() << "adaptations:\n";
    for (const std::unique_ptr<Adaptation> &each : adaptations())
      outs() << formatv("  {0,-12} {1}\n", each->name(), each->summary());
  }
  for (StringRef word : words) {
    std::string error;
    const ModelKind *kind = findModel(word.str(), error);
    if (!kind)
      return wrongUsage(error);
    outs() << kind->name() << ": " << kind->summary() << '\n';
    printOptions(kind->options());
    if (!kind->hasOption("adapt"))
      continue;
    for (const std::unique_ptr<Adaptation> &each : adaptations())
      if (refuseAdaptation(*kind, each->name()).empty()) {
        OptionTable table;
        each->declare(table);
        if (!table.list().empty())
          outs() << " adapt=" << each->name() << '\n';
        printOptions(table.list());
      }
  }
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return 0;
}

/// The help, with the names of models and adaptations.
static std::string help() {
  std::vector<std::string> models, methods;
  for (const ModelKind *kind : modelKinds())
    if (kind->lacks(Ability::Learns).empty())
      models.push_back(kind->name());
  for (const std::unique_ptr<Adaptation> &each : adaptations())
    if (each->trains() && each->usesWeights())
      methods.push_back(each->name());
  return formatv(kHelp, join(models, "|"), join(methods, ", "));
}

/// Runs a command that prints a table of datasets and has no options.
static int runTable(ArrayRef<StringRef> words, StringRef command,
                    function_ref<void(const DatasetView &)> print) {
  Expected<CommandLine> line = CommandLine::parse(words, {});
  if (!line)
    return wrongUsage(toString(line.takeError()));
  if (line->files.empty())
    return wrongUsage(command + " expects at least one dataset");
  Expected<DatasetView> view = readDatasets(line->files);
  if (!view)
    return failWith(view.takeError());
  bool good = reportBadLines(*view);
  print(*view);
  if (Error error = flushOutput(outs()))
    return failWith(std::move(error));
  return good ? 0 : 1;
}

static int runFeatures(ArrayRef<StringRef> words) {
  return runTable(words, "features", [](const DatasetView &view) {
    printFeatureTable(view, outs());
  });
}

static int runSequences(ArrayRef<StringRef> words) {
  return runTable(words, "sequences", [](const DatasetView &view) {
    printSequences(sequenceStatistics(view), outs());
  });
}

int pruner::prunerModelMain(int argc, char **argv) {
  prepareProgram();
  std::vector<StringRef> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty())
    return wrongUsage("expected a command");
  if (is_contained(words, "--help") || is_contained(words, "-h")) {
    outs() << help();
    return 0;
  }
  if (words.front() == "evaluate")
    return runEvaluate(ArrayRef(words).drop_front());
  if (words.front() == "train")
    return runTrain(ArrayRef(words).drop_front());
  if (words.front() == "adapt")
    return runAdapt(ArrayRef(words).drop_front());
  if (words.front() == "sequences")
    return runSequences(ArrayRef(words).drop_front());
  if (words.front() == "describe")
    return runDescribe(ArrayRef(words).drop_front());
  if (words.front() == "features")
    return runFeatures(ArrayRef(words).drop_front());
  if (words.front() == "options")
    return runOptions(ArrayRef(words).drop_front());
  if (words.front() == "terms")
    return runTerms(ArrayRef(words).drop_front());
  return wrongUsage(
      "unknown command '" + words.front() + "'" +
      didYouMean(words.front(), {"evaluate", "train", "adapt", "sequences",
                                 "describe", "features", "options", "terms"}));
}
