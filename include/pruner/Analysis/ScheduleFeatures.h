//===- ScheduleFeatures.h - features of schedules for a model ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_SCHEDULEFEATURES_H
#define PRUNER_ANALYSIS_SCHEDULEFEATURES_H

#include "pruner/Analysis/Features.h"
#include "pruner/Analysis/PrimitiveFeatures.h"
#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/Schedule.h"

#include <optional>

namespace pruner {

/// Computes the features of a task's schedules on a machine, limited to the
/// parts that a model reads.
class ScheduleFeatures {
public:
  /// Task and machine must outlive this object.
  ScheduleFeatures(const TaskDesc &task, const Machine &machine,
                   FeatureParts parts, const FeatureOptions &options = {},
                   const PsaOptions &psa = {});

  /// Whether the model reads programs. If not, none are built.
  bool readsProgram() const { return parts.ofPrograms(); }

  ProgramFeatures operator()(const Schedule &schedule) const;
  /// The same for a schedule with a known summary. Does not fill in the
  /// primitives that other tuners recorded
  /// (`FeatureParts::recordedPrimitives`).
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
