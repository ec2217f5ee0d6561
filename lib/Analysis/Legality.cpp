//===- Legality.cpp - which schedules exist for a task --------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleChecker.h"

#include <algorithm>

using namespace pruner;

RuleChecker::Result detail::broken(unsigned rule, std::string message) {
  std::string label = "R" + std::to_string(rule);
  std::string sentence = label + ": " + std::move(message);
  return Violation{std::move(label), std::move(sentence)};
}

RuleChecker::Result RuleChecker::shape() {
  for (auto rule :
       {&RuleChecker::variantFitsTask, &RuleChecker::tileLists,
        &RuleChecker::factorCounts, &RuleChecker::vectors,
        &RuleChecker::tripsNotEmpty, &RuleChecker::stages,
        &RuleChecker::prologues, &RuleChecker::packedAhead, &RuleChecker::order,
        &RuleChecker::padding, &RuleChecker::rowThreads, &RuleChecker::split,
        &RuleChecker::prefetch})
    if (Result result = (this->*rule)())
      return result;
  return std::nullopt;
}

RuleChecker::Result RuleChecker::all(const Machine &machine) {
  if (isGpu(schedule.variant) != machine.isGpu())
    return detail::broken(
        1, "variant " + variantName(schedule.variant).str() + " is for " +
               (isGpu(schedule.variant) ? "GPUs" : "CPUs") +
               ", the machine is a " + (machine.isGpu() ? "GPU" : "CPU"));
  if (Result result = shape())
    return result;
  return machine.isGpu() ? gpu(machine) : cpu(machine);
}

int64_t pruner::localBytesLimit(const Machine &machine) {
  return std::max(machine.l2Bytes, machine.l3Bytes);
}

RuleChecker::Result pruner::checkVariant(const TaskDesc &task,
                                         Variant variant) {
  Schedule schedule;
  schedule.variant = variant;
  return RuleChecker(task, schedule).variantFitsTask();
}

RuleChecker::Result pruner::checkScheduleShape(const TaskDesc &task,
                                               const Schedule &schedule) {
  return RuleChecker(task, schedule).shape();
}

RuleChecker::Result pruner::checkSchedule(const TaskDesc &task,
                                          const Schedule &schedule,
                                          const Machine &machine) {
  return RuleChecker(task, schedule).all(machine);
}
