//===- Train.cpp - training of models on datasets -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Train.h"

#include "TaskSampling.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Progress.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace llvm;
using namespace pruner;

static constexpr const char *kTrainedShapes = "trained.structures";
static constexpr const char *kMachines = "trained.machines";

/// Whether a task shape is held out.
static bool isHeldOut(StringRef shape, const TrainOptions &options) {
  uint64_t lot = 0;
  std::string hash = contentHash((shape + "\n" + Twine(options.seed)).str());
  (void)StringRef(hash).take_front(8).getAsInteger(16, lot);
  double drawn = double(lot) / double(uint64_t(1) << 32);
  return drawn >= options.holdOut.first && drawn < options.holdOut.second;
}

namespace {
/// The training data of a model.
struct TrainingSet {
  std::vector<ProgramFeatures> programs;
  std::vector<float> labels;
  std::vector<int> groups;
  /// Used by models of latency only.
  std::vector<double> seconds;
  std::vector<char> targets;
};

/// The schedules of a task that are trained on.
struct Selection {
  size_t task; ///< Index in the view.
  std::vector<const MeasuredSchedule *> schedules;
  bool target = false; ///< Belongs to the target domain.
  bool timed = true;   ///< Whether the times are used.
};
} // namespace

static void addToTraining(const MeasuredTask &task, const Selection &selection,
                          const CostModel &model, TrainingSet &training) {
  const auto &schedules = selection.schedules;
  MeasuredFeatures features(task, model.reads(), FeatureOptions::of(model));
  double fastest = std::numeric_limits<double>::infinity();
  for (const MeasuredSchedule *measured : schedules)
    fastest = std::min(fastest, measured->seconds.value_or(fastest));
  for (const MeasuredSchedule *measured : schedules) {
    training.programs.push_back(features(*measured));
    training.labels.push_back(
        measured->seconds ? float(fastest / *measured->seconds) : 0);
    training.groups.push_back(int(selection.task));
    training.seconds.push_back(selection.timed ? measured->seconds.value_or(0)
                                               : 0);
    training.targets.push_back(selection.target);
  }
}

/// Keeps `count` of all schedules, drawn at random.
static void drawSchedules(size_t count, uint64_t seed,
                          MutableArrayRef<Selection> selections) {
  std::vector<std::pair<size_t, const MeasuredSchedule *>> all;
  for (auto [n, selection] : enumerate(selections))
    for (const MeasuredSchedule *measured : selection.schedules)
      all.emplace_back(n, measured);
  if (all.size() <= count)
    return;
  Random random(seed);
  random.shuffle(all);
  DenseSet<const MeasuredSchedule *> drawn;
  for (auto [n, measured] : ArrayRef(all).take_front(count))
    drawn.insert(measured);
  // Restores the order in which they were measured.
  for (Selection &selection : selections)
    llvm::erase_if(selection.schedules, [&](const MeasuredSchedule *measured) {
      return !drawn.contains(measured);
    });
}

/// The shapes of the tasks that come from one of the sources.
static Expected<StringSet<>> shapesOf(const DatasetView &view,
                                      ArrayRef<std::string> sources) {
  StringSet<> shapes;
  for (const std::string &source : sources) {
    if (!view.sources.count(source))
      return createStringError("no source '" + source + "' in the data");
    for (const MeasuredTask &task : view.tasks)
      if (task.sources.count(source))
        shapes.insert(taskShape(task.desc));
  }
  return std::move(shapes);
}

static bool isTarget(const MeasuredTask &task, const std::string &name) {
  return !name.empty() &&
         (task.machine->name == name || task.sources.count(name));
}

/// Keeps times of the target only for the chosen tasks.
static void sampleTarget(const DatasetView &view, const TrainOptions &options,
                         MutableArrayRef<Selection> selections) {
  std::vector<size_t> candidates;
  std::vector<SampledTask> tasks;
  for (auto [n, selection] : enumerate(selections))
    if (selection.target && selection.timed) {
      candidates.push_back(n);
      tasks.push_back({&view.tasks[selection.task], selection.schedules});
    }
  DenseSet<size_t> chosen;
  for (size_t n : sampleTasks(tasks, options.sampledTasks, options.seed))
    chosen.insert(candidates[n]);
  for (size_t n : candidates)
    selections[n].timed = chosen.contains(n);
}

/// Selects the training data, platform by platform.
static Expected<std::vector<Selection>> selectTasks(const DatasetView &view,
                                                    const TrainOptions &options,
                                                    size_t &heldOut) {
  std::vector<TrainPlatform> platforms = options.platforms;
  if (platforms.empty())
    for (const auto &machine : view.machines)
      if (llvm::none_of(platforms, [&](const TrainPlatform &known) {
            return known.name == machine->name;
          }))
        platforms.push_back({machine->name, 0});
  Expected<StringSet<>> left = shapesOf(view, options.without);
  if (!left)
    return left.takeError();
  std::vector<Selection> result;
  for (const TrainPlatform &platform : platforms) {
    size_t begin = result.size(), tasks = 0;
    for (auto [n, task] : enumerate(view.tasks)) {
      if (task.machine->name != platform.name)
        continue;
      ++tasks;
      std::string shape = taskShape(task.desc);
      bool target = isTarget(task, options.target),
           timed = !left->contains(shape);
      if (isHeldOut(shape, options) || (!timed && !target)) {
        ++heldOut;
        continue;
      }
      heldOut += !timed;
      Selection &selection =
          result.emplace_back(Selection{n, {}, target, timed});
      for (const MeasuredSchedule &measured : task.schedules)
        if (!options.first || selection.schedules.size() < options.first)
          selection.schedules.push_back(&measured);
    }
    if (!tasks)
      return createStringError("no schedules of the platform '" +
                               platform.name + "'");
    if (platform.schedules)
      drawSchedules(platform.schedules, options.seed,
                    MutableArrayRef(result).drop_front(begin));
  }
  llvm::erase_if(result, [](const Selection &selection) {
    return selection.schedules.empty();
  });
  if (!options.target.empty() &&
      llvm::none_of(result, [](const Selection &s) { return s.target; }))
    return createStringError("no source or machine '" + options.target +
                             "' in the training data");
  if (options.sampledTasks)
    sampleTarget(view, options, result);
  return std::move(result);
}

/// The options of the model, with the requested adaptation.
static Expected<OptionValues> readModelOptions(const ModelKind &kind,
                                               const TrainOptions &options) {
  const std::string &asked = options.adaptation;
  std::unique_ptr<Adaptation> adaptation = createAdaptation(asked);
  if (!asked.empty()) {
    std::string why = refuseAdaptation(kind, asked);
    if (adaptation && !adaptation->usesWeights())
      why = "use 'pruner model train' to train from scratch";
    else if (adaptation && !adaptation->trains())
      why = "frozen weights need no data";
    if (!why.empty())
      return createStringError("--adapt=" + asked + " of '" + kind.name() +
                               "': " + why);
  }
  OptionValues values;
  if (!options.modelOptions.empty())
    if (std::string error = parseOptions(options.modelOptions, values);
        !error.empty())
      return createStringError("--options: " + error);
  // Some models have only one way to adapt.
  if (!adaptation || !kind.hasOption("adapt"))
    return std::move(values);
  if (!values.emplace("adapt", asked).second)
    return createStringError(
        "--adapt and the model option 'adapt' are mutually exclusive");
  values.merge(adaptation->optionsForOneUpdate());
  return std::move(values);
}

/// The model to train, with weights if there are any.
static Expected<LoadedModel> startingModel(const TrainOptions &options,
                                           raw_ostream &warnings) {
  LoadedModel result;
  const ModelKind *kind = nullptr;
  if (options.weights.empty()) {
    kind = findModel(options.model, result.error);
  } else {
    result.error = readWeights(options.weights, result.file);
    if (result.error.empty())
      kind = kindOf(result.file, result.error);
  }
  if (!kind)
    return createStringError(result.error);
  Expected<OptionValues> values = readModelOptions(*kind, options);
  if (!values)
    return values.takeError();
  CostModelOrError made = kind->create(*values);
  for (const std::string &warning : made.warnings)
    warnings << "pruner model: warning: " << warning << "\n";
  if (made.model && !options.weights.empty())
    made.error = loadWeights(*made.model, result.file);
  if (!made.error.empty())
    return createStringError(made.error);
  result.model = std::move(made.model);
  return std::move(result);
}

Expected<TrainedModel> pruner::trainModel(const DatasetView &view,
                                          const TrainOptions &options,
                                          raw_ostream &warnings) {
  TrainedModel result;
  std::set<std::string> shapes, machines;
  Expected<LoadedModel> begin = startingModel(options, warnings);
  if (!begin)
    return begin.takeError();
  result.model = std::move(begin->model);
  result.origin = std::move(begin->file.metadata);
  for (const auto &shape : trainedShapes(result.origin))
    shapes.insert(shape.getKey().str());
  if (std::string why = result.model->cannotLearn(); !why.empty())
    return createStringError(why);
  Metadata &origin = result.origin;
  const std::string before = origin[kMachines];
  LatencyModel *latency = result.model->latency();
  if (!options.target.empty() && !latency)
    return createStringError("--target requires a latency model, but got '" +
                             result.model->name() + "'");
  Expected<std::vector<Selection>> selected =
      selectTasks(view, options, result.heldOutTasks);
  if (!selected)
    return selected.takeError();
  TrainingSet training;
  Progress progress("features", selected->size());
  for (auto [n, selection] : enumerate(*selected)) {
    const MeasuredTask &task = view.tasks[selection.task];
    if (std::string why = result.model->refusal(task.machine->isGpu());
        !why.empty())
      return createStringError(task.name + ": " + why);
    addToTraining(task, selection, *result.model, training);
    result.tasks += selection.timed;
    result.schedules += selection.timed ? selection.schedules.size() : 0;
    if (selection.timed)
      shapes.insert(taskShape(task.desc));
    machines.insert(task.machine->name);
    progress.update(n + 1, task.name);
  }
  progress.finish();
  result.report =
      latency ? latency->updateSeconds(training.programs, training.seconds,
                                       training.targets)
              : result.model->update(training.programs, training.labels,
                                     training.groups);
  if (!result.report.trained)
    return createStringError("training failed: " + result.report.message);
  origin[kTrainedShapes] = join(shapes, "\n");
  origin[kMachines] = join(machines, ", ");
  if (!options.weights.empty()) {
    origin["adapted.from"] = before;
    origin["adapted.by"] = options.adaptation.empty() ? defaultAdaptation(true)
                                                      : options.adaptation;
  }
  origin["trained.tasks"] = std::to_string(result.tasks);
  origin["trained.schedules"] = std::to_string(result.schedules);
  origin["trained.held_out"] = std::to_string(result.heldOutTasks);
  if (!options.without.empty())
    origin["trained.without"] = join(options.without, ", ");
  if (!options.target.empty())
    origin["trained.target"] = options.target;
  origin["trained.seed"] = std::to_string(options.seed);
  origin["trained.sources"] = join(view.sources, "; ");
  origin["trained.options"] = options.modelOptions;
  return std::move(result);
}

Expected<std::vector<ScoringModel>>
pruner::crossValidate(const DatasetView &view, TrainOptions options,
                      unsigned folds, std::vector<TaskEvaluation> &result,
                      raw_ostream &warnings) {
  Expected<std::vector<ScoringModel>> others =
      createScoringModels("psa,random");
  if (!others)
    return others.takeError();
  std::vector<ScoringModel> models;
  for (unsigned fold = 0; fold < folds; ++fold) {
    options.holdOut = {double(fold) / folds, double(fold + 1) / folds};
    Expected<TrainedModel> trained = trainModel(view, options, warnings);
    if (!trained)
      return trained.takeError();
    models = *others;
    models.insert(models.begin(),
                  scoringModel(options.model, std::move(trained->model),
                               trained->origin));
    EvaluationOptions unseen;
    unseen.first = options.first;
    unseen.unseenOnly = true;
    llvm::append_range(result, evaluate(view, models, unseen));
  }
  // Restores the order of the view: by machine, then kind.
  llvm::sort(result, [](const TaskEvaluation &a, const TaskEvaluation &b) {
    return a.task < b.task;
  });
  return std::move(models);
}

void pruner::noteValidation(ArrayRef<TaskEvaluation> tasks,
                            ArrayRef<ScoringModel> models, unsigned folds,
                            Metadata &origin) {
  origin["validated.folds"] = std::to_string(folds);
  const std::vector<EvaluationGroup> groups = groupsOf(tasks);
  for (const EvaluationGroup &group : groups) {
    std::string text = std::to_string(group.tasks.size()) + " tasks";
    for (auto [n, judged] : enumerate(models)) {
      ChoiceQuality mean = group.mean(n);
      text += formatv("; {0}: pairs {1:f3}", judged.name, mean.pairs);
      for (auto [count, best] : zip_equal(kChoices, mean.best))
        if (best && count <= 10)
          text += formatv(", top-{0} {1:f3}", count, *best);
    }
    // Machines of one name differ in their keys.
    const Machine *machine = group.tasks.front().task->machine;
    bool unique = llvm::none_of(groups, [&](const EvaluationGroup &other) {
      return other.tasks.front().task->machine != machine &&
             other.machine() == group.machine();
    });
    std::string name = unique ? machine->name : machine->key();
    origin["validated." + name + "." + group.kind().str()] = text;
  }
}

Expected<LoadedModel> pruner::loadModel(StringRef path, raw_ostream &warnings) {
  TrainOptions options;
  options.weights = path.str();
  return startingModel(options, warnings);
}

StringSet<> pruner::trainedShapes(const Metadata &origin) {
  StringSet<> result;
  auto found = origin.find(kTrainedShapes);
  if (found != origin.end())
    for (StringRef shape : split(found->second, '\n'))
      result.insert(shape);
  return result;
}

void pruner::describeModel(const LoadedModel &loaded, raw_ostream &os) {
  os << loaded.model->describe() << '\n';
  for (const auto &[name, value] : loaded.file.metadata) {
    os << name << ": ";
    if (name == kTrainedShapes)
      os << trainedShapes(loaded.file.metadata).size() << " distinct shapes\n";
    else
      os << value << '\n';
  }
}
