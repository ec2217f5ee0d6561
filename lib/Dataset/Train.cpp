//===- Train.cpp - learned models made from datasets ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dataset/Train.h"

#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Progress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace llvm;
using namespace pruner;

static constexpr const char *kStructures = "trained.structures";

/// Whether a structure's lot is among the held out.
static bool isHeldOut(StringRef structure, const TrainOptions &options) {
  uint64_t lot = 0;
  std::string hash =
      contentHash((structure + "\n" + Twine(options.seed)).str());
  (void)StringRef(hash).take_front(8).getAsInteger(16, lot);
  double drawn = double(lot) / double(uint64_t(1) << 32);
  return drawn >= options.holdOut.first && drawn < options.holdOut.second;
}

static Expected<std::unique_ptr<CostModel>>
create(StringRef name, StringRef options, raw_ostream &warnings) {
  CostModelOrError made =
      createCostModel(name.str(), options.empty() ? "{}" : options.str());
  for (const std::string &warning : made.warnings)
    warnings << "pruner-model: warning: " << warning << "\n";
  if (!made.model)
    return createStringError(made.error);
  return std::move(made.model);
}

namespace {
/// What a model is taught.
struct Lessons {
  std::vector<ProgramFeatures> programs;
  std::vector<float> labels;
  std::vector<int> groups;
};
} // namespace

static void teach(const MeasuredTask &task, int group, size_t first,
                  FeatureParts parts, Lessons &lessons) {
  ScheduleFeatures features = featuresOf(task, parts);
  ArrayRef<MeasuredSchedule> schedules = task.schedules;
  if (first)
    schedules = schedules.take_front(std::min(first, schedules.size()));
  double fastest = std::numeric_limits<double>::infinity();
  for (const MeasuredSchedule &measured : schedules)
    fastest = std::min(fastest, measured.seconds.value_or(fastest));
  for (const MeasuredSchedule &measured : schedules) {
    lessons.programs.push_back(
        features(summarizeMeasured(task, measured.schedule)));
    lessons.labels.push_back(
        measured.seconds ? float(fastest / *measured.seconds) : 0);
    lessons.groups.push_back(group);
  }
}

Expected<TrainedModel> pruner::trainModel(const DatasetView &view,
                                          const TrainOptions &options,
                                          raw_ostream &warnings) {
  TrainedModel result;
  auto model = create(options.model, options.modelOptions, warnings);
  if (!model)
    return model.takeError();
  result.model = std::move(*model);
  Lessons lessons;
  std::set<std::string> structures, machines;
  Progress progress("features", view.tasks.size());
  for (auto [n, task] : enumerate(view.tasks)) {
    std::string structure = taskStructure(task.desc);
    if (isHeldOut(structure, options)) {
      ++result.heldOutTasks;
      continue;
    }
    teach(task, int(n), options.first, result.model->reads(), lessons);
    ++result.tasks;
    structures.insert(std::move(structure));
    machines.insert(task.machine->name);
    progress.update(n + 1, task.name);
  }
  progress.finish();
  result.schedules = lessons.programs.size();
  result.report =
      result.model->update(lessons.programs, lessons.labels, lessons.groups);
  if (!result.report.trained)
    return createStringError("nothing was learned: " + result.report.message);
  auto &provenance = result.model->provenance;
  provenance[kStructures] = join(structures, "\n");
  provenance["trained.machines"] = join(machines, ", ");
  provenance["trained.tasks"] = std::to_string(result.tasks);
  provenance["trained.schedules"] = std::to_string(result.schedules);
  provenance["trained.held_out"] = std::to_string(result.heldOutTasks);
  provenance["trained.seed"] = std::to_string(options.seed);
  provenance["trained.sources"] = join(view.sources, "; ");
  provenance["trained.options"] = options.modelOptions;
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
                  scoringModel(options.model, std::move(trained->model)));
    EvaluationOptions unseen;
    unseen.first = options.first;
    unseen.unseenOnly = true;
    llvm::append_range(result, evaluate(view, models, unseen));
  }
  // Into the order of the view, which is by machine and kind.
  llvm::sort(result, [](const TaskEvaluation &a, const TaskEvaluation &b) {
    return a.task < b.task;
  });
  return std::move(models);
}

void pruner::noteValidation(ArrayRef<TaskEvaluation> tasks,
                            ArrayRef<ScoringModel> models, unsigned folds,
                            CostModel &model) {
  model.provenance["validated.folds"] = std::to_string(folds);
  for (const EvaluationGroup &group : groupsOf(tasks)) {
    std::string text = std::to_string(group.tasks.size()) + " tasks";
    for (auto [n, judged] : enumerate(models)) {
      ChoiceQuality mean = group.mean(n);
      text += formatv("; {0}: pairs {1:f3}", judged.name, mean.pairs);
      for (auto [count, best] : zip_equal(kChoices, mean.best))
        if (best && count <= 10)
          text += formatv(", top-{0} {1:f3}", count, *best);
    }
    model.provenance[("validated." + group.machine() + "." + group.kind())
                         .str()] = text;
  }
}

Expected<std::unique_ptr<CostModel>> pruner::loadModel(StringRef path,
                                                       raw_ostream &warnings) {
  std::string error, name = modelOfWeights(path.str(), error);
  if (!error.empty())
    return createStringError(error);
  auto model = create(name, "", warnings);
  if (!model)
    return model.takeError();
  if (error = (*model)->load(path.str()); !error.empty())
    return createStringError(error);
  return model;
}

StringSet<> pruner::trainedStructures(const CostModel &model) {
  StringSet<> result;
  auto found = model.provenance.find(kStructures);
  if (found != model.provenance.end())
    for (StringRef structure : split(found->second, '\n'))
      result.insert(structure);
  return result;
}

void pruner::describeModel(const CostModel &model, raw_ostream &os) {
  os << model.describe() << '\n';
  for (const auto &[name, value] : model.provenance) {
    os << name << ": ";
    if (name == kStructures)
      os << trainedStructures(model).size() << " different ones\n";
    else
      os << value << '\n';
  }
}
