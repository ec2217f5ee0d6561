//===- ScheduleFeatures.cpp - what models see of a schedule ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/ScheduleFeatures.h"

#include "pruner/Analysis/ProgramTerms.h"
#include "pruner/Sketch/BuildProgram.h"

using namespace pruner;

ProgramFeatures ScheduleFeatures::operator()(const Schedule &schedule) const {
  return (*this)(summarize(task, buildTiledProgram(task, schedule)));
}

ProgramFeatures
ScheduleFeatures::operator()(const ProgramSummary &program) const {
  ProgramFeatures features;
  if (parts.statements)
    features = featuresOf(program, flags, options);
  if (parts.terms)
    features.terms = programTerms(program, machine, psa);
  return features;
}
