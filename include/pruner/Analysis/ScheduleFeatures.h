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
#include "pruner/Analysis/PrimitiveFeatures.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/Schedule.h"

#include <optional>

namespace pruner {

/// The features of a task's schedules on a machine, those that a model reads.
class ScheduleFeatures {
public:
  /// Task and machine must outlive it.
  ScheduleFeatures(const TaskDesc &task, const Machine &machine,
                   FeatureParts parts, const FeatureOptions &options = {},
                   const PsaOptions &psa = {});

  /// Whether programs are read: where they are not, none is made.
  bool readsProgram() const { return parts.ofPrograms(); }

  ProgramFeatures operator()(const Schedule &schedule) const;
  /// The same, of a schedule whose program is summarised already. What other
  /// tuners recorded (`FeatureParts::recordedPrimitives`) is not filled in.
  ProgramFeatures operator()(const Schedule &schedule,
                             const ProgramSummary &program) const;

private:
  void addPrimitives(const Schedule &schedule, ProgramFeatures &features) const;

  const TaskDesc &task;
  const Machine &machine;
  FeatureParts parts;
  TaskFlags flags;
  FeatureOptions options;
  PsaOptions psa;
  std::optional<PrimitiveWriter> writer;
};

} // namespace pruner

#endif // PRUNER_ANALYSIS_SCHEDULEFEATURES_H
