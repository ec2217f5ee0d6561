//===- Train.cpp - learned models made from datasets ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dataset/Train.h"

#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/PluginLoader.h"
#include "pruner/CostModel/Safetensors.h"
#include "pruner/Dataset/Evaluate.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Progress.h"

#include "llvm/ADT/StringExtras.h"

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
  return double(lot) < options.holdOut * double(uint64_t(1) << 32);
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
                  Lessons &lessons) {
  ScheduleFeatures features(task.desc, *task.machine);
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
    teach(task, int(n), options.first, lessons);
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
  provenance["trained.options"] = options.modelOptions;
  return std::move(result);
}

Expected<std::unique_ptr<CostModel>> pruner::loadModel(StringRef path,
                                                       raw_ostream &warnings) {
  TensorFile file;
  if (std::string error = readSafetensors(path.str(), file); !error.empty())
    return createStringError(error);
  std::string name = file.metadata["model"];
  // Published weights do not say: only PaCM's are.
  auto model = create(name.empty() ? "pacm" : name, "", warnings);
  if (!model)
    return model.takeError();
  if (std::string error = (*model)->load(path.str()); !error.empty())
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
