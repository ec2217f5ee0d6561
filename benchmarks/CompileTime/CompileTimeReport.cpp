//===- CompileTimeReport.cpp - medians and percentiles of stages ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTimeReport.h"

#include "Report.h"

#include "pruner/Support/Table.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;
using Align = Table::Align;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {
/// The times of one stage over many candidates.
struct StageSamples {
  std::vector<double> wall, cpu;

  void add(const StageTime &time) {
    wall.push_back(time.wallMs);
    cpu.push_back(time.cpuMs);
  }
};

/// The candidates of some tasks, by stage.
struct Group {
  std::string name;
  llvm::MapVector<llvm::StringRef, StageSamples> stages, passes;
  StageSamples total;
  size_t failed = 0;

  void add(const TaskTimes &task) {
    for (const CandidateTimes &candidate : task.candidates) {
      if (!candidate.failure.empty()) {
        ++failed;
        continue;
      }
      for (const auto &[stage, time] : candidate.stages)
        stages[stage].add(time);
      for (const auto &[pass, time] : candidate.passes)
        passes[pass].add(time);
      total.add(candidate.total);
    }
  }
};
} // namespace

/// The families of operations that have targets of their own.
static std::string familyOf(llvm::StringRef kind) {
  if (kind == "mm" || kind == "bmm" || kind == "mm_bias_gelu")
    return "products";
  if (kind.starts_with("conv"))
    return "convolutions";
  return "others";
}

/// Groups by family, products and convolutions together, and all.
static std::vector<Group> groupsOf(llvm::ArrayRef<TaskTimes> tasks,
                                   llvm::StringRef target) {
  std::vector<Group> groups;
  auto add = [&](const char *name,
                 llvm::function_ref<bool(llvm::StringRef)> wanted) {
    Group group;
    group.name = name;
    for (const TaskTimes &task : tasks)
      if (task.target == target && wanted(familyOf(task.kind)))
        group.add(task);
    if (!group.total.cpu.empty())
      groups.push_back(std::move(group));
  };
  for (const char *family : {"products", "convolutions", "others"})
    add(family, [&](llvm::StringRef f) { return f == family; });
  add("products and convolutions",
      [](llvm::StringRef f) { return f != "others"; });
  add("all", [](llvm::StringRef) { return true; });
  return groups;
}

static std::vector<std::string> targetsOf(llvm::ArrayRef<TaskTimes> tasks) {
  std::vector<std::string> targets;
  for (const TaskTimes &task : tasks)
    if (!llvm::is_contained(targets, task.target))
      targets.push_back(task.target);
  return targets;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

static std::string milliseconds(double value) {
  return formatNumber(value < 9.995 ? "%.2f" : "%.1f", value);
}

void bench::printProgress(llvm::raw_ostream &os, const TaskTimes &times) {
  Group group;
  group.add(times);
  os << times.target << " " << times.op << " " << times.task << ": "
     << milliseconds(quantile(group.total.cpu, 0.5)) << " ms\n";
  for (const CandidateTimes &candidate : times.candidates)
    if (!candidate.failure.empty())
      os << "  " << candidate.schedule << ": " << candidate.failure << "\n";
}

static void printGroups(llvm::raw_ostream &os, llvm::ArrayRef<Group> groups) {
  std::vector<std::string> stages;
  for (const Group &group : groups)
    for (const auto &[stage, samples] : group.stages)
      if (!llvm::is_contained(stages, stage))
        stages.push_back(stage.str());
  std::vector<Table::Column> columns{{"CPU ms", Align::Left},
                                     {"built", Align::Right}};
  for (const std::string &stage : stages)
    columns.push_back({stage, Align::Right});
  for (const char *name : {"total", "p99", "wall", "p99"})
    columns.push_back({name, Align::Right});
  Table table(std::move(columns));
  for (const Group &group : groups) {
    std::vector<std::string> cells{group.name,
                                   std::to_string(group.total.cpu.size())};
    for (const std::string &stage : stages) {
      const auto *found = group.stages.find(stage);
      cells.push_back(found == group.stages.end()
                          ? "-"
                          : milliseconds(quantile(found->second.cpu, 0.5)));
    }
    for (const std::vector<double> *times :
         {&group.total.cpu, &group.total.wall})
      for (double share : {0.5, 0.99})
        cells.push_back(milliseconds(quantile(*times, share)));
    table.addRow(std::move(cells));
  }
  table.print(os);
}

/// The shares of stages and passes in the time of all candidates.
static void printShares(llvm::raw_ostream &os, const Group &group) {
  auto sum = [](const std::vector<double> &times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
  };
  Table table({{"CPU ms", Align::Left},
               {"median", Align::Right},
               {"p90", Align::Right},
               {"p99", Align::Right},
               {"share", Align::Right}});
  auto add = [&](llvm::StringRef name, const StageSamples &samples) {
    table.addRow({name.str(), milliseconds(quantile(samples.cpu, 0.5)),
                  milliseconds(quantile(samples.cpu, 0.9)),
                  milliseconds(quantile(samples.cpu, 0.99)),
                  formatNumber("%.1f %%",
                               100 * sum(samples.cpu) / sum(group.total.cpu))});
  };
  for (const auto &[stage, samples] : group.stages)
    add(stage, samples);
  add("total", group.total);
  for (const auto &[pass, samples] : group.passes)
    add(pass, samples);
  table.print(os);
}

/// The candidates that took longest, with their schedules.
static void printSlowest(llvm::raw_ostream &os, llvm::ArrayRef<TaskTimes> tasks,
                         llvm::StringRef target) {
  constexpr size_t kSlowest = 5;
  std::vector<std::pair<const TaskTimes *, const CandidateTimes *>> slowest;
  for (const TaskTimes &task : tasks)
    for (const CandidateTimes &candidate : task.candidates)
      if (task.target == target && candidate.failure.empty())
        slowest.push_back({&task, &candidate});
  llvm::stable_sort(slowest, [](const auto &a, const auto &b) {
    return a.second->total.cpuMs > b.second->total.cpuMs;
  });
  slowest.resize(std::min(slowest.size(), kSlowest));
  for (const auto &[task, candidate] : slowest)
    os << milliseconds(candidate->total.cpuMs) << " ms: " << task->op << " "
       << candidate->schedule << "\n";
}

void bench::printTables(llvm::raw_ostream &os,
                        llvm::ArrayRef<TaskTimes> tasks) {
  for (const std::string &target : targetsOf(tasks)) {
    std::vector<Group> rows;
    for (const TaskTimes &task : tasks) {
      if (task.target != target)
        continue;
      // Tasks of one operation share a row.
      if (rows.empty() || rows.back().name != task.op)
        rows.emplace_back().name = task.op;
      rows.back().add(task);
    }
    os << "\n" << target << "\n";
    printGroups(os, rows);
    os << "\n";
    std::vector<Group> groups = groupsOf(tasks, target);
    printGroups(os, groups);
    if (groups.empty())
      continue;
    os << "\n";
    printShares(os, groups.back());
    os << "\n";
    printSlowest(os, tasks, target);
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object toJson(const StageSamples &samples) {
  return json::Object{{"cpu_median_ms", quantile(samples.cpu, 0.5)},
                      {"cpu_p90_ms", quantile(samples.cpu, 0.9)},
                      {"cpu_p99_ms", quantile(samples.cpu, 0.99)},
                      {"wall_median_ms", quantile(samples.wall, 0.5)},
                      {"wall_p99_ms", quantile(samples.wall, 0.99)}};
}

static json::Object toJson(const Group &group) {
  json::Object stages, passes;
  for (const auto &[stage, samples] : group.stages)
    stages[stage] = toJson(samples);
  for (const auto &[pass, samples] : group.passes)
    passes[pass] = toJson(samples);
  return json::Object{{"built", int64_t(group.total.cpu.size())},
                      {"failed", int64_t(group.failed)},
                      {"stages", std::move(stages)},
                      {"passes", std::move(passes)},
                      {"total", toJson(group.total)}};
}

static json::Object toJson(const StageTime &time) {
  return json::Object{{"wall_ms", time.wallMs}, {"cpu_ms", time.cpuMs}};
}

static json::Object toJson(const CandidateTimes &candidate) {
  json::Object object{{"schedule", candidate.schedule}};
  if (!candidate.failure.empty()) {
    object["failure"] = candidate.failure;
    return object;
  }
  json::Object stages, passes;
  for (const auto &[stage, time] : candidate.stages)
    stages[stage] = toJson(time);
  for (const auto &[pass, time] : candidate.passes)
    passes[pass] = toJson(time);
  object["stages"] = std::move(stages);
  object["passes"] = std::move(passes);
  object["total"] = toJson(candidate.total);
  object["artifact_bytes"] = candidate.artifactBytes;
  if (const json::Value *code = candidate.facts.get("code"))
    object["code"] = *code;
  return object;
}

json::Object bench::toJson(llvm::ArrayRef<TaskTimes> tasks) {
  json::Array list, summary;
  for (const TaskTimes &task : tasks) {
    json::Array candidates;
    for (const CandidateTimes &candidate : task.candidates)
      candidates.push_back(::toJson(candidate));
    Group group;
    group.add(task);
    json::Object object = ::toJson(group);
    object["operator"] = task.op;
    object["kind"] = task.kind;
    object["task"] = task.task;
    object["target"] = task.target;
    object["parse"] = ::toJson(task.parse);
    object["candidates"] = std::move(candidates);
    list.push_back(std::move(object));
  }
  for (const std::string &target : targetsOf(tasks))
    for (const Group &group : groupsOf(tasks, target)) {
      json::Object object = ::toJson(group);
      object["target"] = target;
      object["group"] = group.name;
      summary.push_back(std::move(object));
    }
  return json::Object{{"summary", std::move(summary)},
                      {"tasks", std::move(list)}};
}
