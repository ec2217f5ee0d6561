//===- EvaluateReport.cpp - tables of evaluations -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Evaluate.h"

#include "pruner/Support/Table.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

size_t EvaluationGroup::sum(size_t TaskEvaluation::*count) const {
  size_t all = 0;
  for (const TaskEvaluation &task : tasks)
    all += task.*count;
  return all;
}

ChoiceQuality EvaluationGroup::mean(size_t model) const {
  ChoiceQuality mean;
  for (const TaskEvaluation &task : tasks) {
    mean.correlation += task.models[model].correlation / double(tasks.size());
    mean.pairs += task.models[model].pairs / double(tasks.size());
  }
  for (size_t k = 0; k < kChoices.size(); ++k) {
    double sum = 0;
    size_t count = 0;
    for (const TaskEvaluation &task : tasks)
      if (std::optional<double> best = task.models[model].best[k]) {
        sum += *best;
        ++count;
      }
    if (count)
      mean.best[k] = sum / double(count);
  }
  return mean;
}

static const TaskEvaluation &worst(ArrayRef<TaskEvaluation> tasks,
                                   size_t model) {
  return *llvm::min_element(
      tasks, [&](const TaskEvaluation &a, const TaskEvaluation &b) {
        return a.models[model].best[0] < b.models[model].best[0];
      });
}

std::vector<EvaluationGroup> pruner::groupsOf(ArrayRef<TaskEvaluation> tasks) {
  std::vector<EvaluationGroup> groups;
  while (!tasks.empty()) {
    const MeasuredTask &first = *tasks.front().task;
    ArrayRef<TaskEvaluation> same =
        tasks.take_while([&](const TaskEvaluation &other) {
          return other.task->machine == first.machine &&
                 other.task->kind == first.kind;
        });
    groups.push_back({same});
    tasks = tasks.drop_front(same.size());
  }
  return groups;
}

static std::string text(std::optional<double> share) {
  return share ? formatv("{0:f3}", *share).str() : "-";
}

void pruner::printEvaluation(ArrayRef<TaskEvaluation> tasks,
                             ArrayRef<ScoringModel> models, raw_ostream &os) {
  std::vector<Table::Column> columns = {{"machine"},
                                        {"kind"},
                                        {"tasks", Table::Align::Right},
                                        {"schedules", Table::Align::Right},
                                        {"failed", Table::Align::Right},
                                        {"illegal", Table::Align::Right},
                                        {"model"},
                                        {"rank corr.", Table::Align::Right},
                                        {"pairs", Table::Align::Right}};
  for (size_t count : kChoices)
    columns.push_back({"top-" + std::to_string(count), Table::Align::Right});
  columns.push_back({"worst top-1", Table::Align::Right});
  columns.push_back({"of"});
  Table table(columns);
  for (const EvaluationGroup &group : groupsOf(tasks)) {
    for (auto [n, model] : llvm::enumerate(models)) {
      ChoiceQuality mean = group.mean(n);
      std::vector<std::string> row = {
          group.machine().str(),
          group.kind().str(),
          std::to_string(group.tasks.size()),
          std::to_string(group.sum(&TaskEvaluation::schedules)),
          std::to_string(group.sum(&TaskEvaluation::failed)),
          std::to_string(group.sum(&TaskEvaluation::illegal)),
          model.name,
          text(mean.correlation),
          text(mean.pairs)};
      for (std::optional<double> best : mean.best)
        row.push_back(text(best));
      const TaskEvaluation &worst = ::worst(group.tasks, n);
      row.push_back(text(worst.models[n].best[0]));
      row.push_back(worst.task->name);
      table.addRow(std::move(row));
    }
  }
  table.print(os);
}

static json::Object toJson(const ChoiceQuality &quality) {
  json::Object best;
  for (auto [count, share] : llvm::zip_equal(kChoices, quality.best))
    if (share)
      best[std::to_string(count)] = *share;
  return json::Object{{"rank_correlation", quality.correlation},
                      {"pairs", quality.pairs},
                      {"top", std::move(best)}};
}

json::Value pruner::toJson(ArrayRef<TaskEvaluation> tasks,
                           ArrayRef<ScoringModel> models) {
  json::Array groups;
  for (const EvaluationGroup &group : groupsOf(tasks)) {
    json::Object means;
    for (auto [n, model] : llvm::enumerate(models))
      means[model.name] = ::toJson(group.mean(n));
    json::Array list;
    for (const TaskEvaluation &task : group.tasks) {
      json::Object own;
      for (auto [n, model] : llvm::enumerate(models))
        own[model.name] = ::toJson(task.models[n]);
      list.push_back(json::Object{{"name", task.task->name},
                                  {"key", task.task->key},
                                  {"schedules", int64_t(task.schedules)},
                                  {"failed", int64_t(task.failed)},
                                  {"illegal", int64_t(task.illegal)},
                                  {"models", std::move(own)}});
    }
    groups.push_back(json::Object{{"machine", group.machine()},
                                  {"kind", group.kind()},
                                  {"models", std::move(means)},
                                  {"tasks", std::move(list)}});
  }
  return json::Object{{"groups", std::move(groups)}};
}
