//===- EvaluateLatency.cpp - evaluation of predicted times ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EvaluateLatency.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Support/Progress.h"
#include "pruner/Support/Table.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

LatencyErrors pruner::latencyErrors(ArrayRef<double> predicted,
                                    ArrayRef<double> measured) {
  LatencyErrors result;
  result.schedules = measured.size();
  if (measured.empty())
    return result;
  double share = 1 / double(measured.size());
  std::vector<double> errors;
  for (auto [guess, truth] : zip_equal(predicted, measured)) {
    double error = std::isfinite(guess) ? std::fabs(guess - truth) / truth : 1;
    errors.push_back(error);
    result.mean += share * error;
    result.within10 += share * double(error <= 0.1);
    result.within20 += share * double(error <= 0.2);
  }
  llvm::sort(errors);
  size_t middle = errors.size() / 2;
  result.median = errors.size() % 2 ? errors[middle]
                                    : (errors[middle - 1] + errors[middle]) / 2;
  return result;
}

namespace {
/// The measured times of a group and the predictions of each model.
struct Times {
  size_t tasks = 0;
  std::vector<double> measured;
  std::vector<std::vector<double>> predicted;

  void add(const Times &of) {
    ++tasks;
    append_range(measured, of.measured);
    predicted.resize(of.predicted.size());
    for (auto [mine, theirs] : zip_equal(predicted, of.predicted))
      append_range(mine, theirs);
  }
};
} // namespace

static Times timesOf(const MeasuredTask &task, ArrayRef<ScoringModel> models,
                     const EvaluationOptions &options) {
  Times times;
  std::vector<MeasuredProgram> programs;
  size_t count = task.schedules.size();
  if (options.first)
    count = std::min(count, options.first);
  for (const MeasuredSchedule &measured :
       ArrayRef(task.schedules).take_front(count)) {
    if (!measured.seconds || measured.schedule.unroll < options.leastUnroll ||
        (options.legalOnly &&
         checkSchedule(task.desc, measured.schedule, *task.machine)))
      continue;
    programs.push_back({&measured, summarizeMeasured(task, measured.schedule)});
    times.measured.push_back(*measured.seconds);
  }
  for (const ScoringModel &model : models)
    times.predicted.push_back(programs.empty() ? std::vector<double>()
                                               : model.seconds(task, programs));
  return times;
}

Expected<std::vector<LatencyGroup>>
pruner::evaluateLatency(const DatasetView &view, ArrayRef<ScoringModel> models,
                        const EvaluationOptions &options) {
  for (const ScoringModel &model : models)
    if (!model.seconds)
      return createStringError("the model '" + model.name +
                               "' ranks schedules and does not predict times");
  // Kinds come first, then sources, then the total.
  MapVector<const Machine *, std::array<MapVector<StringRef, Times>, 3>> all;
  Progress progress("tasks", view.tasks.size());
  for (auto [n, task] : enumerate(view.tasks)) {
    progress.update(n + 1, task.name);
    std::string shape = taskShape(task.desc);
    if (options.unseenOnly && any_of(models, [&](const ScoringModel &model) {
          return model.trainedBy.contains(shape);
        }))
      continue;
    Times times = timesOf(task, models, options);
    if (times.measured.empty())
      continue;
    auto &[kinds, sources, total] = all[task.machine];
    kinds[task.kind].add(times);
    for (const std::string &source : task.sources)
      sources[source].add(times);
    total["all"].add(times);
  }
  progress.finish();
  std::vector<LatencyGroup> groups;
  for (auto &[machine, lists] : all) {
    for (auto &list : lists) {
      if (list.size() < 2 && &list != &lists.back())
        continue;
      for (auto &[name, times] : list) {
        LatencyGroup &group = groups.emplace_back(
            LatencyGroup{machine->name, name.str(), times.tasks, {}});
        for (const std::vector<double> &predicted : times.predicted)
          group.models.push_back(latencyErrors(predicted, times.measured));
      }
    }
  }
  return std::move(groups);
}

static std::string percent(double share) {
  return formatv("{0:f1} %", 100 * share).str();
}

void pruner::printLatency(ArrayRef<LatencyGroup> groups,
                          ArrayRef<ScoringModel> models, raw_ostream &os) {
  Table table({{"machine"},
               {"programs of"},
               {"tasks", Table::Align::Right},
               {"schedules", Table::Align::Right},
               {"model"},
               {"MAPE", Table::Align::Right},
               {"median", Table::Align::Right},
               {"within 10 %", Table::Align::Right},
               {"within 20 %", Table::Align::Right}});
  for (const LatencyGroup &group : groups)
    for (auto [model, errors] : zip_equal(models, group.models))
      table.addRow({group.machine, group.name, std::to_string(group.tasks),
                    std::to_string(errors.schedules), model.name,
                    percent(errors.mean), percent(errors.median),
                    percent(errors.within10), percent(errors.within20)});
  table.print(os);
}

json::Value pruner::toJson(ArrayRef<LatencyGroup> groups,
                           ArrayRef<ScoringModel> models) {
  json::Array list;
  for (const LatencyGroup &group : groups) {
    json::Object own;
    for (auto [model, errors] : zip_equal(models, group.models))
      own[model.name] = json::Object{{"mape", errors.mean},
                                     {"median", errors.median},
                                     {"within_10_percent", errors.within10},
                                     {"within_20_percent", errors.within20},
                                     {"schedules", int64_t(errors.schedules)}};
    list.push_back(json::Object{{"machine", group.machine},
                                {"of", group.name},
                                {"tasks", int64_t(group.tasks)},
                                {"models", std::move(own)}});
  }
  return json::Object{{"groups", std::move(list)}};
}
