//===- OptimizationRemarks.h - optimization remarks about tasks -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the result of each task to MLIR's remark engine (mlir/IR/Remarks.h).
// If the context has no engine, for example without --remarks-filter, nothing
// is computed. Functions and lines are those of the tasks; seconds are per
// call.

#ifndef PRUNER_TUNE_OPTIMIZATIONREMARKS_H
#define PRUNER_TUNE_OPTIMIZATIONREMARKS_H

#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Record/Choice.h"

namespace pruner {

/// The origin of remarks. `pass` must be a literal, because the engine keeps no
/// copy.
struct RemarkSource {
  const ModuleTask &task;
  const Environment &environment;
  llvm::StringRef pass;

  /// Passed, "TaskScheduled": the applied record, and the time of the untuned
  /// default if known. Analysis, "StatementLimit": for each statement of the
  /// schedule, what limits it according to the analytical model.
  void scheduled(const Record &record,
                 std::optional<double> defaultSeconds) const;
  /// Missed, "TaskUntuned", with the reason.
  void untuned(llvm::StringRef reason) const;
  /// Analysis, "FailedTrials": the number of trials for each kind of failure.
  void failures(const std::map<MeasureStatus, uint64_t> &trials) const;
};

/// Passed, "FormChosen", at each part with several forms and a choice: the form
/// that is executed, and the times of all forms. `pass` must be a literal.
void remarkForms(llvm::ArrayRef<FormTimes> all, llvm::StringRef pass);

} // namespace pruner

#endif // PRUNER_TUNE_OPTIMIZATIONREMARKS_H
