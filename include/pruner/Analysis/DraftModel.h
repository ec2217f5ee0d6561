//===- DraftModel.h - the analytical model on schedules ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_DRAFTMODEL_H
#define PRUNER_ANALYSIS_DRAFTMODEL_H

#include "pruner/Analysis/Psa.h"
#include "pruner/Sketch/Schedule.h"

#include <memory>

namespace pruner {

class Summarizer;
class TaskForms;

/// Predicts the time of schedules of one task with the analytical model:
/// psaSeconds of the summary, without storing the program. Copy the object to
/// use it in another thread.
class DraftModel {
public:
  /// Copies the task. The machine must outlive the model.
  DraftModel(const TaskDesc &task, const Machine &machine,
             const PsaOptions &options = {});
  DraftModel(const DraftModel &other);
  ~DraftModel();

  /// Predicted seconds.
  double operator()(const Schedule &schedule);
  /// The summary of the program; valid until the next call.
  const ProgramSummary &summaryOf(const Schedule &schedule);

private:
  std::shared_ptr<const TaskForms> forms;
  const Machine &machine;
  PsaOptions options;
  std::unique_ptr<Summarizer> summarizer;
};

} // namespace pruner

#endif // PRUNER_ANALYSIS_DRAFTMODEL_H
