//===- ScheduleFeatures.cpp - features of schedules for a model -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/ScheduleFeatures.h"

#include "DeviceFeatures.h"
#include "pruner/Analysis/ProgramTerms.h"
#include "pruner/Sketch/BuildProgram.h"

using namespace pruner;

ScheduleFeatures::ScheduleFeatures(const TaskDesc &task, const Machine &machine,
                                   FeatureParts parts,
                                   const FeatureOptions &options,
                                   const PsaOptions &psa)
    : task(task), machine(machine), parts(parts), options(options), psa(psa) {
  // Knowledge about a task must hold in every network, so features ignore the
  // cache state.
  this->psa.caches.reset();
  if (parts.statements || parts.tree)
    flags = taskFlags(task);
  if (parts.primitives)
    writer.emplace(task);
}

ProgramFeatures ScheduleFeatures::operator()(const Schedule &schedule) const {
  if (readsProgram())
    return (*this)(schedule,
                   summarize(task, buildTiledProgram(task, schedule)));
  ProgramFeatures features;
  addPrimitives(schedule, features);
  return features;
}

void ScheduleFeatures::addPrimitives(const Schedule &schedule,
                                     ProgramFeatures &features) const {
  if (parts.ofSchedules())
    features.platform = machine.name;
  if (writer)
    features.primitives = primitiveRows((*writer)(schedule));
}

ProgramFeatures
ScheduleFeatures::operator()(const Schedule &schedule,
                             const ProgramSummary &program) const {
  ProgramFeatures features;
  if (parts.statements)
    features = featuresOf(program, flags, options);
  if (parts.tree) {
    features = treeFeaturesOf(program, flags);
    features.device = deviceFeatures(machine, psa.threads);
  }
  if (parts.terms)
    features.terms = programTerms(program, machine, psa);
  addPrimitives(schedule, features);
  return features;
}
