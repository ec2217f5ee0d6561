//===- DraftModel.cpp - the analytical model on schedules -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/DraftModel.h"

#include "pruner/Program/Summarizer.h"
#include "pruner/Sketch/Sketch.h"
#include "pruner/Sketch/TaskForms.h"

using namespace pruner;

DraftModel::DraftModel(const TaskDesc &task, const Machine &machine,
                       const PsaOptions &options)
    : forms(std::make_shared<TaskForms>(task)), machine(machine),
      options(options), summarizer(std::make_unique<Summarizer>(forms->task)) {}

DraftModel::DraftModel(const DraftModel &other)
    : forms(other.forms), machine(other.machine), options(other.options),
      summarizer(std::make_unique<Summarizer>(forms->task)) {}

DraftModel::~DraftModel() = default;

const ProgramSummary &DraftModel::summaryOf(const Schedule &schedule) {
  sketchOf(schedule).build(*forms, schedule, *summarizer);
  return summarizer->summary;
}

double DraftModel::operator()(const Schedule &schedule) {
  return psaSeconds(summaryOf(schedule), machine, options);
}
