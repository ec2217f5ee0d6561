//===- RecordJudge.cpp - what cannot be true of a record ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tune/RecordJudge.h"
#include "pruner/Tune/TimeBound.h"

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

/// The target must be one that the machine's code is generated for; what
/// `threads` there are becomes known.
static std::string judgePlace(const Record &record, const Machine &machine,
                              unsigned &threads) {
  StringRef target = record.target, options = record.pipelineOptions;
  std::string expected = CodeTarget::of(machine).str();
  if (machine.isGpu()) {
    if (target != expected)
      return ("the target '" + target + "' is not that of the machine, " +
              expected)
          .str();
    return options.empty() ? ""
                           : ("the pipeline option '" + options +
                              "' is none of GPU targets")
                                 .str();
  }
  if (target != expected && target != machine.name)
    return ("the target '" + target + "' is not that of the machine, " +
            machine.name)
        .str();
  // The code of another compiler, named behind it.
  options = options.split(" builder=").first;
  if (!options.consume_front("threads=") || options.getAsInteger(10, threads) ||
      threads == 0)
    return "the pipeline options '" + record.pipelineOptions +
           "' are none; they look like threads=2";
  if (threads > machine.units)
    return std::to_string(threads) + " threads are more than the machine's " +
           std::to_string(machine.units) + " cores";
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
                              mlir::MLIRContext &context, int64_t now) {
  std::string problem = timestampProblem(record.timestamp, now);
  if (!problem.empty())
    return problem;
  std::optional<Machine> machine = Machine::fromKey(record.machineKey);
  if (!machine)
    return ("the machine key '" + StringRef(record.machineKey).take_front(200) +
            "' is none")
        .str();
  unsigned threads = 1;
  problem = judgePlace(record, *machine, threads);
  if (problem.empty())
    problem = judgeSchedule(record, desc, *machine, context);
  if (!problem.empty())
    return problem;
  // What computes something else may do so in no time.
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

const RecordJudge::Known &RecordJudge::know(const StoredTask &task) {
  auto [entry, first] = tasks.insert({task.key, {}});
  Known &known = entry->second;
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

/// Whether the numbers of `task` are those that were noted before integer
/// operations counted, and while all bytes of an argument counted as read.
static bool isCountedAsBefore(const StoredTask &task, const TaskDesc &desc) {
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
    return ""; // Known by its key alone, and nothing is told of it.
  const Known &known = know(task);
  if (!known.problem.empty())
    return known.problem;
  if ((task.flops != known.desc.flops() || task.bytes != known.desc.bytes()) &&
      !isCountedAsBefore(task, known.desc))
    return "the task has " + std::to_string(int64_t(known.desc.flops())) +
           " operations and " + std::to_string(int64_t(known.desc.bytes())) +
           " bytes, not what is said of it";
  return "";
}

std::string RecordJudge::problemOf(const Record &record,
                                   const StoredTask &task) {
  if (task.text.empty())
    return "the task " + record.taskKey +
           " is not known, so the record cannot be judged; import the task "
           "with it";
  const Known &known = know(task);
  if (!known.problem.empty())
    return known.problem;
  return ::pruner::problemOf(record, known.desc, context(),
                             int64_t(std::time(nullptr)));
}
