//===- ScheduleFeatures.h - what models see of a schedule -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_SCHEDULEFEATURES_H
#define PRUNER_ANALYSIS_SCHEDULEFEATURES_H

#include "pruner/Analysis/Features.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/Schedule.h"

namespace pruner {

/// The features of a task's schedules on a machine, those that a model reads.
class ScheduleFeatures {
public:
  /// Task and machine must outlive it.
  ScheduleFeatures(const TaskDesc &task, const Machine &machine,
                   FeatureParts parts, const FeatureOptions &options = {},
                   const PsaOptions &psa = {})
      : task(task), machine(machine), parts(parts), flags(taskFlags(task)),
        options(options), psa(psa) {}

  ProgramFeatures operator()(const Schedule &schedule) const;
  ProgramFeatures operator()(const ProgramSummary &program) const;

private:
  const TaskDesc &task;
  const Machine &machine;
  FeatureParts parts;
  TaskFlags flags;
  FeatureOptions options;
  PsaOptions psa;
};

} // namespace pruner

#endif // PRUNER_ANALYSIS_SCHEDULEFEATURES_H
