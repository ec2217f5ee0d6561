//===- DatasetView.cpp - tasks and schedules of datasets ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/DatasetView.h"
#include "AnsorPrimitives.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskText.h"
#include "pruner/Sketch/Knob.h"

#include <map>

using namespace llvm;
using namespace pruner;

static double median(std::vector<double> &values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

MaybeViolation pruner::checkProgramExists(const TaskDesc &task,
                                          const Schedule &schedule,
                                          const Machine &machine) {
  if (MaybeViolation broken = checkScheduleShape(task, schedule))
    return broken;
  MaybeViolation broken = checkSchedule(task, schedule, machine);
  // The rules of vectors are checked before other rules that depend on the
  // machine.
  bool exists = !broken || (broken->rule != "R1" && broken->rule != "R8" &&
                            broken->rule != "R17");
  return exists ? std::nullopt : broken;
}

std::string pruner::taskShape(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  std::string text;
  for (const IterDim &dim : task.dims())
    if (dim.extent != 1)
      text += (dim.reduction ? "r" : "") + std::to_string(dim.extent) + "x";
  int64_t bytes = byteWidth(task.tensors[anchor.output.tensor].type);
  return text + std::to_string(bytes) + "B";
}

/// The number of threads in a variant, or 0 if there is none.
static int64_t threadsOf(StringRef variant) {
  for (StringRef word : llvm::split(variant, ' '))
    if (int64_t threads = 0; word.consume_front("threads=") &&
                             !word.getAsInteger(10, threads) && threads > 0)
      return threads;
  return 0;
}

/// The cache state in a variant, or warm if there is none.
static CacheState cachesOf(StringRef variant) {
  StringRef text = variant.split("caches=").second;
  // The text ends at the next word of the form `name=value`.
  StringRef last = text.split('=').first;
  if (last.size() < text.size())
    text = last.rsplit(' ').first;
  return CacheState::parse(text).value_or(CacheState());
}

namespace {
class Gatherer : public DatasetVisitor {
public:
  Error begin(DatasetOrigin origin) override {
    tasksOfPart.clear();
    auto same = llvm::find_if(view.machines, [&](const auto &known) {
      return *known == origin.machine;
    });
    if (same == view.machines.end())
      same = view.machines.insert(
          same, std::make_unique<Machine>(std::move(origin.machine)));
    machine = same->get();
    toolchain = std::move(origin.toolchain);
    source = origin.source;
    view.sources.insert(std::move(origin.source));
    return Error::success();
  }

  Error add(unsigned number, DatasetTask text) override {
    Expected<ParsedTask> parsed = parseTaskText(text.text, context.get());
    if (!parsed)
      return parsed.takeError();
    auto [entry, isNew] =
        tasks.try_emplace({machine, parsed->key}, gathered.size());
    if (isNew) {
      MeasuredTask task;
      task.name = std::move(text.name);
      task.key = parsed->key;
      task.kind = taskKind(parsed->ir);
      task.desc = std::move(parsed->ir.desc);
      task.machine = machine;
      task.toolchain = toolchain;
      gathered.push_back({std::move(task), {}, {}});
    }
    tasksOfPart[number] = entry->second;
    return Error::success();
  }

  Error add(DatasetRecord record) override {
    Gathered &task =
        byThreads(tasksOfPart.at(record.task), threadsOf(record.variant));
    Expected<ScheduleAttr> schedule =
        readScheduleText(record.schedule, context.get());
    if (!schedule)
      return schedule.takeError();
    if (MaybeViolation broken =
            checkProgramExists(task.task.desc, schedule->getValue(), *machine))
      return createStringError("the schedule does not fit: " + broken->message);
    if (!record.primitives.empty())
      if (auto rows = ansorPrimitiveRows(record.primitives, machine->isGpu());
          !rows)
        return rows.takeError();
    if (task.task.records++ == 0)
      task.task.caches = cachesOf(record.variant);
    task.task.sources.insert(source);
    auto &schedules = task.task.schedules;
    auto [entry, isNew] = task.numbers.try_emplace(
        std::pair(schedule->getAsOpaquePointer(), std::move(record.variant)),
        schedules.size());
    if (isNew) {
      schedules.push_back({schedule->getValue(), std::nullopt, record.status,
                           std::move(record.primitives)});
      task.times.emplace_back();
    }
    MeasuredSchedule &measured = schedules[entry->second];
    if (measured.status == MeasureStatus::Ok)
      measured.status = record.status;
    llvm::append_range(task.times[entry->second], record.seconds);
    return Error::success();
  }

  DatasetView finish() {
    for (Gathered &task : gathered) {
      for (auto [schedule, times] :
           llvm::zip_equal(task.task.schedules, task.times))
        if (!times.empty())
          schedule.seconds = median(times);
      view.tasks.push_back(std::move(task.task));
    }
    auto rank = [&](const MeasuredTask &task) {
      return llvm::find_if(view.machines,
                           [&](const auto &known) {
                             return known.get() == task.machine;
                           }) -
             view.machines.begin();
    };
    llvm::stable_sort(view.tasks,
                      [&](const MeasuredTask &a, const MeasuredTask &b) {
                        return std::pair(rank(a), StringRef(a.kind)) <
                               std::pair(rank(b), StringRef(b.kind));
                      });
    return std::move(view);
  }

  DatasetView view;

private:
  struct Gathered {
    MeasuredTask task;
    /// Keyed by schedule (unique in the context) and variant.
    std::map<std::pair<const void *, std::string>, size_t> numbers;
    std::vector<std::vector<double>> times;
  };

  /// Measurements with different numbers of threads belong to different tasks.
  Gathered &byThreads(size_t number, int64_t threads) {
    if (gathered[number].task.records == 0)
      gathered[number].task.threads = threads;
    if (gathered[number].task.threads == threads)
      return gathered[number];
    auto [entry, isNew] =
        others.try_emplace({number, threads}, gathered.size());
    if (isNew) {
      MeasuredTask task = gathered[number].task;
      task.threads = threads;
      task.schedules.clear();
      task.records = 0;
      task.sources.clear();
      gathered.push_back({std::move(task), {}, {}});
    }
    return gathered[entry->second];
  }

  std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  const Machine *machine = nullptr;
  std::map<std::pair<const Machine *, std::string>, size_t> tasks;
  std::map<std::pair<size_t, int64_t>, size_t> others;
  std::string toolchain, source;
  std::map<unsigned, size_t> tasksOfPart;
  std::vector<Gathered> gathered;
};
} // namespace

Expected<DatasetView> pruner::readDatasets(ArrayRef<StringRef> paths) {
  Gatherer gatherer;
  for (StringRef path : paths) {
    Expected<std::vector<BadLine>> bad = readDataset(path, gatherer);
    if (!bad)
      return bad.takeError();
    gatherer.view.bad.emplace_back(path.str(), std::move(*bad));
  }
  return gatherer.finish();
}
