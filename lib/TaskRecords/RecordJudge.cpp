//===- RecordJudge.cpp - find records that cannot be true -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TaskRecords/RecordJudge.h"

#include "TimeBound.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/Machine.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskText.h"
#include "pruner/Record/Choice.h"

#include <ctime>

using namespace llvm;
using namespace pruner;

/// Checks that the target and the pipeline options match the machine. Sets
/// `threads`.
static std::string judgeTarget(const Record &record, const Machine &machine,
                               unsigned &threads) {
  StringRef target = record.target, options = record.pipelineOptions;
  std::string expected = CodeTarget::of(machine).str();
  if (machine.isGpu()) {
    if (target != expected)
      return ("expected target '" + expected + "' for this machine, but got '" +
              target + "'")
          .str();
    return options.empty() ? ""
                           : ("pipeline options '" + options +
                              "' are not valid for GPU targets")
                                 .str();
  }
  if (target != expected && target != machine.name)
    return ("expected target '" + machine.name +
            "' for this machine, but got '" + target + "'")
        .str();
  // Ignore the name of another compiler.
  options = options.split(" builder=").first;
  if (!options.consume_front("threads=") || options.getAsInteger(10, threads) ||
      threads == 0)
    return "invalid pipeline options '" + record.pipelineOptions +
           "'; expected a form like 'threads=2'";
  if (threads > machine.units)
    return "expected at most " + std::to_string(machine.units) +
           " threads, the cores of the machine, but got " +
           std::to_string(threads);
  return "";
}

static std::string judgeSchedule(const Record &record, const TaskDesc &desc,
                                 const Machine &machine,
                                 mlir::MLIRContext &context) {
  if (record.schedule == kDefaultSchedule)
    return "";
  llvm::Expected<ScheduleAttr> schedule =
      readScheduleText(record.schedule, &context);
  if (!schedule)
    return toString(schedule.takeError());
  if (auto broken = checkSchedule(desc, schedule->getValue(), machine))
    return "the schedule is illegal for the task and machine: " +
           broken->message;
  return "";
}

std::string pruner::problemOf(const Record &record, const TaskDesc &desc,
                              mlir::MLIRContext &context, int64_t now,
                              const Environment *environment) {
  std::string problem = timestampProblem(record.timestamp, now);
  if (!problem.empty())
    return problem;
  std::optional<Machine> machine;
  if (environment && environment->machineKey() == record.machineKey)
    machine = environment->machine;
  else
    machine = Machine::fromKey(record.machineKey);
  if (!machine)
    return ("invalid machine key '" +
            StringRef(record.machineKey).take_front(200) + "'")
        .str();
  unsigned threads = 1;
  problem = judgeTarget(record, *machine, threads);
  if (problem.empty())
    problem = judgeSchedule(record, desc, *machine, context);
  if (!problem.empty())
    return problem;
  // Code with a wrong result may take any time.
  if (record.status != MeasureStatus::Ok)
    return "";
  double least = leastSeconds(desc, *machine, threads);
  for (double time : record.times)
    if (time < least) {
      char text[160];
      snprintf(text, sizeof(text),
               "a time is %g s, but no code runs this task in less than %g s "
               "on that machine",
               time, least);
      return text;
    }
  return "";
}

//===----------------------------------------------------------------------===//
// RecordJudge
//===----------------------------------------------------------------------===//

RecordJudge::RecordJudge() = default;
RecordJudge::~RecordJudge() = default;

mlir::MLIRContext &RecordJudge::context() {
  if (!owned)
    owned = createTaskContext();
  return *owned;
}

const RecordJudge::JudgedTask &RecordJudge::judgedTask(const StoredTask &task) {
  auto [entry, first] = tasks.insert({task.key, {}});
  JudgedTask &known = entry->second;
  if (!first && known.text == task.text)
    return known;
  known = {task.text, "", {}};
  llvm::Expected<ParsedTask> parsed = parseTaskText(task.text, &context());
  if (!parsed)
    known.problem = toString(parsed.takeError());
  else if (parsed->key != task.key)
    known.problem = "the key of the task is " + task.key +
                    ", but its text hashes to " + parsed->key;
  else
    known.desc = std::move(parsed->ir.desc);
  return known;
}

/// Returns true if the counts of `task` are those of older versions, which
/// counted no integer operations and all bytes of every argument.
static bool hasOlderCounts(const StoredTask &task, const TaskDesc &desc) {
  double flops = 0, bytes = 0;
  for (const StatementDesc &statement : desc.statements)
    flops += statement.points() * double(statement.ops.floatTotal());
  for (const TensorDesc &tensor : desc.tensors)
    if (tensor.argument >= 0)
      bytes += double(tensor.elements()) * double(byteWidth(tensor.type));
  return task.flops == flops && task.bytes == bytes;
}

std::string RecordJudge::problemOf(const StoredTask &task) {
  if (task.text.empty())
    return ""; // Known by its key alone.
  const JudgedTask &known = judgedTask(task);
  if (!known.problem.empty())
    return known.problem;
  if ((task.flops != known.desc.flops() || task.bytes != known.desc.bytes()) &&
      !hasOlderCounts(task, known.desc))
    return "the task has " + std::to_string(int64_t(known.desc.flops())) +
           " operations and " + std::to_string(int64_t(known.desc.bytes())) +
           " bytes, but its record states other counts";
  return "";
}

std::string RecordJudge::problemOf(const Record &record,
                                   const StoredTask &task) {
  if (task.text.empty())
    return "the task " + record.taskKey +
           " is unknown, so the record cannot be checked; import the task with "
           "it";
  const JudgedTask &known = judgedTask(task);
  if (!known.problem.empty())
    return known.problem;
  return ::pruner::problemOf(record, known.desc, context(),
                             int64_t(std::time(nullptr)));
}
