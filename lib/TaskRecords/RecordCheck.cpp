//===- RecordCheck.cpp - whether a record can be true ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TaskRecords/RecordCheck.h"

#include "TimeBound.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/Machine.h"
#include "pruner/Program/ScheduleText.h"

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

RecordCheck::RecordCheck(mlir::MLIRContext &context,
                         const Environment *environment)
    : context(context) {
  if (environment)
    machines[environment->machineKey()] = environment->machine;
}

std::string RecordCheck::problemOf(const Record &record, const TaskDesc &desc) {
  std::string problem =
      timestampProblem(record.timestamp, int64_t(std::time(nullptr)));
  if (!problem.empty())
    return problem;
  auto known = machines.find(record.machineKey);
  if (known == machines.end())
    known =
        machines.emplace(record.machineKey, Machine::fromKey(record.machineKey))
            .first;
  const std::optional<Machine> &machine = known->second;
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
